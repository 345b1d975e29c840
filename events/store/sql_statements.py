"""The statements that the SQLite store runs. Those whose names end in 2 are for record format 2."""

from __future__ import annotations

INSERT = (
    "INSERT INTO event (position, battle, line, seq, act, kind, body, actor, at, request, prev, hash)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
INSERT2 = (
    "INSERT INTO event2 (battle, line, seq, n, kind, header, body, salts, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
TIP = "INSERT INTO tip (battle, n) VALUES (?, ?) ON CONFLICT (battle) DO UPDATE SET n = excluded.n"
INSERT_REQUEST = (
    "INSERT INTO request (battle, key, content, line, first_seq, last_seq) VALUES (?, ?, ?, ?, ?, ?)"
)  # fmt: skip
LINES = (
    "SELECT line.id, line.battle, line.name, parent.name, line.after, line.played, line.actor, line.at, line.why"
    " FROM line LEFT JOIN line AS parent ON parent.id = line.parent WHERE line.battle = ? ORDER BY line.id"
)
TEXTS = "SELECT line2.line, line2.text FROM line2 JOIN line ON line.id = line2.line WHERE line.battle = ?"
STRETCH = "FROM event WHERE line = ? AND seq > ? AND seq <= ? ORDER BY seq"
STRETCH2 = "FROM event2 WHERE line = ? AND seq > ? AND seq <= ? ORDER BY seq"
RECORDS2 = f"SELECT ?, battle, seq, n, kind, header, body, salts, hash {STRETCH2}"
BODIES2 = f"SELECT body, header {STRETCH2}"
HEAD2 = "SELECT seq, hash FROM event2 WHERE line = ? ORDER BY seq DESC LIMIT 1"
RECORDS = f"SELECT position, battle, ?, seq, act, kind, body, actor, at, request, prev, hash {STRETCH}"
BODIES = f"SELECT body {STRETCH}"
LAST_POSITION = "SELECT max(position) FROM event"
HEAD = f"SELECT seq, hash, ({LAST_POSITION}) FROM event WHERE line = ? ORDER BY seq DESC LIMIT 1"
ANSWER = (
    "SELECT request.content, line.name, first_seq, last_seq, coalesce(event2.hash, event.hash) FROM request"
    " JOIN line ON line.id = request.line"
    " LEFT JOIN event2 ON event2.line = request.line AND event2.seq = request.last_seq"
    " LEFT JOIN event ON event.line = request.line AND event.seq = request.last_seq"
    " WHERE request.battle = ? AND request.key = ?"
)
SNAPSHOT = (
    "SELECT snapshot.seq, snapshot.hash, fingerprint, CAST(state AS BLOB) FROM snapshot"
    " JOIN {event} AS event ON event.line = snapshot.line AND event.seq = snapshot.seq AND event.hash = snapshot.hash"
    " WHERE snapshot.line = ? AND snapshot.seq <= ? AND fingerprint = ? ORDER BY snapshot.seq DESC LIMIT 1"
)
COUNT_EVENTS = "SELECT (SELECT count(*) FROM event) + (SELECT count(*) FROM event2)"
