"""The file: tables, triggers and views. Meant to be looked at with any SQLite tool.

`event2` holds the record of the battles that were opened, or upgraded, since record format 2, and `event` that of those
before; what a row says of itself is made from its texts. `tip` counts the events of a battle, `line2` holds what a line
of format 2 is, as it is hashed. `line` and `battle` say where events stand, `request`
which inputs were met (its `content` is null when the battle was taken over from elsewhere), `document` the texts that
events name by digest, `secret` what is behind the commitments: it never leaves in an export. `snapshot` is a cache.
`outbox` holds messages on their way out: no part of the record, so its rows may change, and none leaves in an export.
Times are whole microseconds UTC; the view `journal` shows them as RFC 3339.
"""

from __future__ import annotations

import sqlite3

from events.store.errors import LogUnusable

APPLICATION_ID = 0x57444941  # "WDIA"
VERSION = 3

# A chain of ORs, since SQLite builds a table for every IN list: that would cost a quarter of each insert.
_TABLES = {
    "battle": """\
CREATE TABLE battle (
  id TEXT PRIMARY KEY NOT NULL,
  opened_at INTEGER NOT NULL
) STRICT""",
    "line": """\
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
  UNIQUE (battle, name),
  CHECK (CASE WHEN parent IS NULL THEN after = 0 ELSE after > 0 END)
) STRICT""",
    "event": """\
CREATE TABLE event (
  position INTEGER PRIMARY KEY,
  battle TEXT NOT NULL REFERENCES battle(id),
  line INTEGER NOT NULL REFERENCES line(id),
  seq INTEGER NOT NULL CHECK (seq > 0),
  act INTEGER NOT NULL CHECK (act > 0 AND act <= seq),
  kind TEXT NOT NULL CHECK (
    kind = 'outcome' OR kind = 'roll' OR kind = 'order' OR kind = 'declaration' OR kind = 'table' OR kind = 'clock'
    OR kind = 'ruling'
  ),
  type TEXT NOT NULL GENERATED ALWAYS AS (body ->> '$.type') VIRTUAL,
  body TEXT NOT NULL CHECK (json_valid(body)),
  actor TEXT NOT NULL,
  at INTEGER NOT NULL CHECK (at >= 0),
  request TEXT,
  prev TEXT NOT NULL,
  hash TEXT NOT NULL,
  UNIQUE (line, seq)
) STRICT""",
    "line2": """\
CREATE TABLE line2 (
  line INTEGER PRIMARY KEY REFERENCES line(id),
  text TEXT NOT NULL CHECK (json_valid(text))
) STRICT""",
    "event2": """\
CREATE TABLE event2 (
  id INTEGER PRIMARY KEY,
  battle TEXT NOT NULL REFERENCES battle(id),
  line INTEGER NOT NULL REFERENCES line(id),
  seq INTEGER NOT NULL CHECK (seq > 0),
  n INTEGER NOT NULL CHECK (n > 0),
  kind TEXT NOT NULL CHECK (
    kind = 'outcome' OR kind = 'roll' OR kind = 'order' OR kind = 'declaration' OR kind = 'table' OR kind = 'clock'
    OR kind = 'ruling'
  ),
  header TEXT CHECK (header IS NULL OR json_valid(header)),
  body TEXT CHECK (body IS NULL OR json_valid(body)),
  salts TEXT NOT NULL,
  hash TEXT NOT NULL,
  type TEXT GENERATED ALWAYS AS (header ->> '$.type') VIRTUAL,
  act INTEGER GENERATED ALWAYS AS (header ->> '$.act') VIRTUAL,
  actor TEXT GENERATED ALWAYS AS (header ->> '$.actor') VIRTUAL,
  at INTEGER GENERATED ALWAYS AS (header ->> '$.at') VIRTUAL,
  UNIQUE (line, seq)
) STRICT""",
    "tip": """\
CREATE TABLE tip (
  battle TEXT PRIMARY KEY NOT NULL REFERENCES battle(id),
  n INTEGER NOT NULL
) STRICT""",
    "request": """\
CREATE TABLE request (
  battle TEXT NOT NULL REFERENCES battle(id),
  key TEXT NOT NULL,
  content TEXT,
  line INTEGER NOT NULL REFERENCES line(id),
  first_seq INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  PRIMARY KEY (battle, key)
) STRICT""",
    "document": """\
CREATE TABLE document (
  digest TEXT PRIMARY KEY NOT NULL,
  text TEXT NOT NULL
) STRICT""",
    "secret": """\
CREATE TABLE secret (
  commitment TEXT PRIMARY KEY NOT NULL,
  battle TEXT NOT NULL REFERENCES battle(id),
  root TEXT NOT NULL
) STRICT""",
    "snapshot": """\
CREATE TABLE snapshot (
  line INTEGER NOT NULL REFERENCES line(id),
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  state TEXT NOT NULL,
  PRIMARY KEY (line, seq)
) STRICT""",
    "outbox": """\
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY,
  battle TEXT NOT NULL REFERENCES battle(id),
  recipient TEXT NOT NULL,
  key TEXT NOT NULL,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  html TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'sent', 'failed')),
  made_at INTEGER NOT NULL CHECK (made_at >= 0),
  parcel TEXT,
  parts_sent INTEGER NOT NULL DEFAULT 0,
  tries INTEGER NOT NULL DEFAULT 0,
  not_before INTEGER NOT NULL DEFAULT 0,
  claimed_at INTEGER,
  sent_at INTEGER,
  problem TEXT NOT NULL DEFAULT '',
  UNIQUE (battle, recipient, key)
) STRICT""",
}

_INDEXES = {
    "event_request": "CREATE UNIQUE INDEX event_request ON event (battle, request) WHERE request IS NOT NULL",
    "outbox_pending": "CREATE INDEX outbox_pending ON outbox (recipient, id) WHERE state = 'pending'",
}

_SINCE = {"outbox": 2, "outbox_pending": 2, "line2": 3, "event2": 3, "tip": 3}
"""Which schema brought a table or an index, where it was not the first."""

_DICE = """\
SELECT event.battle, line.name AS line, event.seq, event.body ->> '$.key' AS key,
  called.body ->> '$.purpose' AS purpose, called.body ->> '$.seat' AS seat, called.body ->> '$.piece' AS piece,
  called.body ->> '$.dice' AS dice, called.body ->> '$.test' AS test, called.body ->> '$.target' AS target,
  event.body ->> '$.faces' AS faces, event.body ->> '$.total' AS total, event.body ->> '$.success' AS success,
  event.body ->> '$.source' AS source, {number} AS position, {later} AS later
FROM {event} AS event JOIN line ON line.id = event.line
LEFT JOIN {event} AS called ON called.line = event.line AND called.seq >= event.act AND called.seq < event.seq
  AND called.type = 'roll.called' AND called.body ->> '$.key' = event.body ->> '$.key'
WHERE event.type = 'roll.rolled'"""

_VIEWS = {
    "journal": """\
CREATE VIEW journal AS
SELECT told.battle, line.name AS line, told.seq, told.act,
  strftime('%Y-%m-%dT%H:%M:%S', told.at / 1000000, 'unixepoch') || printf('.%06dZ', told.at % 1000000) AS time,
  told.kind, told.type, told.actor, told.body, told.position
FROM (
  SELECT battle, line, seq, act, at, kind, type, actor, body, position, 0 AS later FROM event
  UNION ALL SELECT battle, line, seq, act, at, kind, type, actor, body, n, id FROM event2
) AS told JOIN line ON line.id = told.line
ORDER BY told.later, told.position""",
    "dice": f"""\
CREATE VIEW dice AS
{_DICE.format(event="event", number="event.position", later="0")}
UNION ALL
{_DICE.format(event="event2", number="event.n", later="event.id")}
ORDER BY later, position""",
    "lines": """\
CREATE VIEW lines AS
SELECT line.battle, line.name, parent.name AS parent, line.after AS forked_after,
  CASE line.played WHEN 1 THEN 'played' ELSE 'NOT PLAYED' END AS standing,
  coalesce(
    (SELECT max(seq) FROM event2 WHERE event2.line = line.id), (SELECT max(seq) FROM event WHERE event.line = line.id),
    line.after
  ) AS head, line.actor, line.why
FROM line LEFT JOIN line AS parent ON parent.id = line.parent
ORDER BY line.id""",
}

_SAME_ROW = {
    "event": "position = NEW.position OR (line = NEW.line AND seq = NEW.seq)"
    " OR (battle = NEW.battle AND request = NEW.request)",
    "event2": "id = NEW.id OR (line = NEW.line AND seq = NEW.seq)",
    "line2": "line = NEW.line",
    "line": "id = NEW.id OR (battle = NEW.battle AND name = NEW.name)",
    "battle": "id = NEW.id",
    "request": "battle = NEW.battle AND key = NEW.key",
    "document": "digest = NEW.digest",
}
"""The tables that only ever grow, each with what makes a row the same row."""


def guards(version: int = VERSION) -> dict[str, str]:
    """Return the triggers that refuse UPDATE, DELETE and INSERT OR REPLACE, by name.

    INSERT OR REPLACE would otherwise delete a row without firing its delete trigger.
    """
    made = {}
    for table, same in _SAME_ROW.items():
        if _SINCE.get(table, 1) > version:
            continue
        refuse = f"BEGIN SELECT RAISE(ABORT, 'the record is append-only: {table} rows are never changed'); END"
        made[f"{table}_no_update"] = f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} {refuse}"
        made[f"{table}_no_delete"] = f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} {refuse}"
        made[f"{table}_no_replace"] = (
            f"CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table} "
            f"WHEN EXISTS (SELECT 1 FROM {table} WHERE {same}) {refuse}"
        )
    return made


def version_of(connection: sqlite3.Connection, path: str) -> int:
    """Return the schema version of a file, 0 if it is empty. Changes nothing.

    Raises `LogUnusable` for a file of another program or of a newer wardiary.
    """
    mark = connection.execute("PRAGMA application_id").fetchone()[0]
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if mark == APPLICATION_ID and version > VERSION:
        raise LogUnusable(f"{path} has schema {version}, this wardiary knows {VERSION}: use a newer wardiary")
    if mark == APPLICATION_ID and version > 0:
        return version
    if mark or version or connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]:
        raise LogUnusable(f"{path} is another program's SQLite file, not a war diary: choose another with --db")
    return 0


def create(connection: sqlite3.Connection, path: str) -> None:
    """Make everything in an empty file. If another process does so at the same moment, it is left to that one."""
    from sqlite_utils import Database

    file = Database(connection, execute_plugins=False)
    file.execute("BEGIN IMMEDIATE")
    try:
        if version_of(connection, path) == 0:
            for statement in (*_TABLES.values(), *_INDEXES.values(), *guards().values(), *_VIEWS.values()):
                file.execute(statement)
            file.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            file.execute(f"PRAGMA user_version = {VERSION}")
        file.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def migrate(connection: sqlite3.Connection, path: str) -> None:
    """Bring a file of an older schema up to date, or leave it to another process that does so at the same moment.

    Only new tables come in: what is there is not touched, and a wardiary of the old schema no longer opens the file.
    """
    connection.execute("BEGIN IMMEDIATE")
    try:
        found = version_of(connection, path)
        for name, statement in {**_TABLES, **_INDEXES}.items():
            if _SINCE.get(name, 1) > found:
                connection.execute(statement)
        there = guards(found)
        for name, statement in guards().items():
            if name not in there:
                connection.execute(statement)
        for name, statement in _VIEWS.items():
            connection.execute(f"DROP VIEW IF EXISTS {name}")
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def check_guards(connection: sqlite3.Connection, path: str) -> None:
    """Refuse a file whose tables, keys or triggers are not as they were made: `LogUnusable` names what was changed.

    A file is held to the schema that it is of. What others added is left alone: full-text tables, replication tables,
    views.
    """
    version = version_of(connection, path)
    found = dict(connection.execute("SELECT name, sql FROM sqlite_schema WHERE type IN ('table', 'index', 'trigger')"))
    made = {name: sql for name, sql in {**_TABLES, **_INDEXES}.items() if _SINCE.get(name, 1) <= version}
    bad = [name for name, sql in {**made, **guards(version)}.items() if found.get(name) != sql]
    if bad:
        raise LogUnusable(
            f"the guards against change are gone from {path} ({', '.join(bad)}): "
            "export the battles, verify the exports, and import them into a new file"
        )
