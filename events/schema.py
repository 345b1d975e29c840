"""The file: tables, triggers and views. Meant to be looked at with any SQLite tool."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from events.errors import LogUnfit

if TYPE_CHECKING:
    from sqlite_utils import Database

APPLICATION_ID = 0x57444941  # "WDIA"
VERSION = 1

_TABLES = """
CREATE TABLE battle (
  id TEXT PRIMARY KEY NOT NULL,
  opened_at INTEGER NOT NULL
) STRICT;

CREATE TABLE line (
  id INTEGER PRIMARY KEY,
  battle TEXT NOT NULL REFERENCES battle(id),
  name TEXT NOT NULL,
  parent INTEGER REFERENCES line(id),
  after INTEGER NOT NULL,
  played INTEGER NOT NULL CHECK (played IN (0, 1)),
  actor TEXT NOT NULL,
  at INTEGER NOT NULL,
  why TEXT NOT NULL,
  UNIQUE (battle, name)
) STRICT;

CREATE TABLE event (
  position INTEGER PRIMARY KEY,
  battle TEXT NOT NULL REFERENCES battle(id),
  line INTEGER NOT NULL REFERENCES line(id),
  seq INTEGER NOT NULL CHECK (seq > 0),
  act INTEGER NOT NULL CHECK (act > 0),
  kind TEXT NOT NULL CHECK (kind IN ('declaration', 'order', 'roll', 'outcome', 'ruling', 'clock', 'table')),
  type TEXT GENERATED ALWAYS AS (body ->> '$.type') VIRTUAL,
  body TEXT NOT NULL CHECK (json_valid(body)),
  actor TEXT NOT NULL,
  at INTEGER NOT NULL,
  request TEXT,
  prev TEXT NOT NULL,
  hash TEXT NOT NULL,
  UNIQUE (line, seq)
) STRICT;

CREATE UNIQUE INDEX event_request ON event (battle, request) WHERE request IS NOT NULL;

CREATE TABLE request (
  battle TEXT NOT NULL REFERENCES battle(id),
  key TEXT NOT NULL,
  content TEXT NOT NULL,
  line INTEGER NOT NULL REFERENCES line(id),
  first_seq INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  PRIMARY KEY (battle, key)
) STRICT;

CREATE TABLE document (
  digest TEXT PRIMARY KEY NOT NULL,
  text TEXT NOT NULL
) STRICT;

CREATE TABLE secret (
  commitment TEXT PRIMARY KEY NOT NULL,
  battle TEXT NOT NULL REFERENCES battle(id),
  root TEXT NOT NULL
) STRICT;

CREATE TABLE snapshot (
  line INTEGER NOT NULL REFERENCES line(id),
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (line, seq)
) STRICT;
"""

_VIEWS = """
CREATE VIEW journal AS
SELECT event.battle, line.name AS line, event.seq, event.act,
  strftime('%Y-%m-%dT%H:%M:%S', event.at / 1000000, 'unixepoch') || printf('.%06dZ', event.at % 1000000) AS time,
  event.kind, event.type, event.actor, event.body, event.position
FROM event JOIN line ON line.id = event.line
ORDER BY event.position;

CREATE VIEW dice AS
SELECT event.battle, line.name AS line, event.seq, event.body ->> '$.key' AS key,
  called.body ->> '$.purpose' AS purpose, called.body ->> '$.seat' AS seat, called.body ->> '$.piece' AS piece,
  called.body ->> '$.dice' AS dice, called.body ->> '$.test' AS test, called.body ->> '$.target' AS target,
  event.body ->> '$.faces' AS faces, event.body ->> '$.total' AS total, event.body ->> '$.success' AS success,
  event.body ->> '$.source' AS source
FROM event JOIN line ON line.id = event.line
LEFT JOIN event AS called ON called.line = event.line AND called.act = event.act AND called.seq < event.seq
  AND called.type = 'roll.called' AND called.body ->> '$.key' = event.body ->> '$.key'
WHERE event.type = 'roll.rolled'
ORDER BY event.position;

CREATE VIEW lines AS
SELECT line.battle, line.name, parent.name AS parent, line.after AS forked_after,
  CASE line.played WHEN 1 THEN 'played' ELSE 'NOT PLAYED' END AS standing,
  coalesce((SELECT max(seq) FROM event WHERE event.line = line.id), line.after) AS head, line.actor, line.why
FROM line LEFT JOIN line AS parent ON parent.id = line.parent
ORDER BY line.id;
"""

_LOCKED = {"event": "position", "line": "id", "battle": "id", "request": "key", "document": "digest"}
"""Tables that only ever grow, with a column to watch."""

_SAME_ROW = {
    "event": "position = NEW.position OR (line = NEW.line AND seq = NEW.seq)"
    " OR (battle = NEW.battle AND request = NEW.request)",
    "line": "id = NEW.id OR (battle = NEW.battle AND name = NEW.name)",
    "battle": "id = NEW.id",
    "request": "battle = NEW.battle AND key = NEW.key",
    "document": "digest = NEW.digest",
}


def guards() -> dict[str, str]:
    """Return the triggers that refuse UPDATE, DELETE and INSERT OR REPLACE, by name.

    INSERT OR REPLACE would otherwise delete a row without firing its delete trigger.
    """
    made = {}
    for table in _LOCKED:
        refuse = f"BEGIN SELECT RAISE(ABORT, 'the record is append-only: {table} rows are never changed'); END"
        made[f"{table}_no_update"] = f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} {refuse}"
        made[f"{table}_no_delete"] = f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} {refuse}"
        made[f"{table}_no_replace"] = (
            f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} "
            f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {_SAME_ROW[table]}) {refuse}"
        )
    return made


def migrate(connection: sqlite3.Connection) -> None:
    """Bring a file up to `VERSION`. A new file gets everything; a newer file than ours is refused: `LogUnfit`."""
    found = connection.execute("PRAGMA user_version").fetchone()[0]
    if found > VERSION:
        raise LogUnfit(f"this file has schema {found}, this wardiary knows {VERSION}: use a newer wardiary")
    if found == 0:
        from sqlite_utils import Database

        _first(Database(connection, execute_plugins=False))


def _first(db: Database) -> None:
    if db.table_names():
        raise LogUnfit("this SQLite file holds other tables: it is not a war diary; choose another --db")
    statements = ";\n".join([*guards().values(), ""])
    db.executescript(
        f"BEGIN IMMEDIATE; {_TABLES} {_VIEWS} {statements}"
        f"PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {VERSION}; COMMIT;"
    )


def check_guards(connection: sqlite3.Connection) -> None:
    """Refuse a file whose triggers were dropped or changed: `LogUnfit` names them."""
    found = dict(connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'"))
    bad = [name for name, sql in guards().items() if found.get(name) != sql]
    if bad:
        raise LogUnfit(
            f"the guards against change are gone from this file ({', '.join(bad)}): "
            "export the battle, verify the export, and import it into a new file"
        )
