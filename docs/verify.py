"""Check a War Diary record: python verify.py FILE [DIGEST or HEAD that you kept]

Reads an exported battle, a player's copy or an extract (format 2); needs the standard library alone. Exit code 0: it
holds. What is hidden shows as a leaf; every copy of one battle gives the same heads and the same digest.
"""

import json
import re
import sys
from hashlib import sha256

KINDS = ("declaration", "order", "roll", "outcome", "ruling", "clock", "table")
IS_HEX = re.compile("[0-9a-f]{64}").fullmatch
IS_SALT = re.compile("[0-9a-f]{32}").fullmatch


def digest(tag, text):
    return sha256(f"wardiary/2 {tag}\n{text}".encode()).hexdigest()


def need(fits, why):
    if not fits:
        raise ValueError(why)


def read(text):
    """Read JSON, but refuse a key that stands twice: two programs could read it differently."""

    def once(pairs):
        need(len(dict(pairs)) == len(pairs), f"a key stands twice in {text[:60]}")
        return dict(pairs)

    found = json.loads(text, object_pairs_hook=once)
    need(isinstance(found, dict), "not a JSON object")
    return found


def leaf(event, name):
    """A part that is shown comes with its salt; one that is hidden comes as its leaf."""
    text, where = event.get(name), f"{event['line']} {event['seq']}"
    if text is None:
        need(IS_HEX(str(event.get(f"{name}_leaf"))), f"{where}: no {name}, and no leaf in its place")
        return event[f"{name}_leaf"]
    need(IS_SALT(str(event.get(f"{name}_salt"))), f"{where}: no salt for its {name}")
    return digest(name, event[f"{name}_salt"] + text)


def old_hash(line, event, prev):
    """The hash of an event of format 1, which older battles were recorded in before they were upgraded."""

    def field(text):
        raw = str(text).encode()
        return b"%d:%b," % (len(raw), raw)

    fork = (line["parent"] or "", line["after"], int(line["played"]), line["actor"], line["at"], line["why"])
    place = sha256(b"\x01" + b"".join(map(field, (line["battle"], line["name"], *fork)))).hexdigest()
    filed = b"".join(map(field, (event["kind"], event["actor"], event["request"] or "")))
    numbers = f"{prev} {event['seq']} {event['act']} {event['at']} ".encode()
    body = event["body"].encode()
    return sha256(b"\x00" + place.encode() + numbers + filed + b"%d:%b" % (len(body), body)).hexdigest()


class Record:
    """One pass over the rows of a record."""

    def __init__(self, first):
        need(first.get("format") == "wardiary-record/2", f"not a record of format 2: {first.get('format')!r}")
        self.battle, self.order = first["battle"], first["lines"]
        self.lines, self.texts, self.ends, self.hashes = {}, {}, {}, {}
        self.whole = self.partly = self.hidden = self.n = 0
        for entry in self.order:
            if isinstance(entry, str) and not entry.startswith("{"):
                need(IS_HEX(entry), "a hidden line without a leaf")
                continue
            old = isinstance(entry, dict) and "old" in entry
            text = "" if old else entry if isinstance(entry, str) else entry["text"]
            line = entry["old"] if old else read(text)
            need(line["name"] not in self.lines, f"two lines are called {line['name']}")
            first_line = not self.lines and (line["name"], line["parent"], line["after"]) == ("main", None, 0)
            need(first_line or line["parent"] in self.lines, f"line {line['name']} comes before its parent")
            need(line["battle"] == self.battle, f"line {line['name']} is of another battle")
            self.lines[line["name"]], self.texts[line["name"]] = line, text

    def hash_at(self, name, seq):
        while seq <= self.lines[name]["after"]:  # the fork may lie in what the parent itself shares
            name = self.lines[name]["parent"]
        return self.hashes[name, seq]

    def start(self, name):
        """What the first own event of a line is chained to."""
        line, text = self.lines[name], self.texts[name]
        if line["parent"] is None:
            old = sha256(b"\x00wardiary/1,%d:%b," % (len(self.battle.encode()), self.battle.encode())).hexdigest()
            return 0, digest("line", f"{digest('battle', self.battle)} {text}") if text else old
        fork = self.hash_at(line["parent"], line["after"])
        return line["after"], digest("line", f"{fork} {text}") if text else fork

    def add(self, event):
        name, seq, n, kind = event["line"], event["seq"], event["n"], event["kind"]
        where = f"{name} {seq}"
        last, prev = self.ends[name] if name in self.ends else self.start(name)
        need(type(seq) is int and seq == last + 1, f"{name}: event {last + 1} is missing")
        need(type(n) is int and n > self.n and kind in KINDS, f"{where}: its number or its kind")
        if self.texts[name]:
            this = digest("link", f"{prev} {leaf(event, 'head')} {leaf(event, 'body')} {seq} {n} {kind}")
            types = [read(event[part])["type"] for part in ("head", "body") if event.get(part) is not None]
            need(len(set(types)) < 2, f"{where}: its header and its body name two types")
        else:
            this, types = old_hash(self.lines[name], event, prev), [read(event["body"])["type"]] * 2
        need(this == event["hash"], f"{where}: its content does not match its hash")
        if types[:1] == ["table.upgraded"] and event.get("body") is not None:
            need(read(event["body"])["digest"] == self.digest(), f"{where}: it cites another record of format 1")
        self.whole, self.partly, self.hidden = (
            self.whole + (len(types) == 2), self.partly + (len(types) == 1), self.hidden + (not types)
        )  # fmt: skip
        self.n, self.ends[name], self.hashes[name, seq] = n, (seq, this), this

    def digest(self):
        """The digest of the battle, from the ends of all lines."""
        ends = []
        for entry in self.order:
            text = entry if isinstance(entry, str) else entry.get("text", "")
            if isinstance(entry, str) and not entry.startswith("{"):
                ends.append(entry)
            elif isinstance(entry, dict) and "end" in entry:
                need(IS_HEX(entry["end"]), "the end of a line that is shown in part")
                ends.append(entry["end"])
            else:
                name = (entry["old"] if isinstance(entry, dict) else read(text))["name"]
                if name in self.ends:  # a line that begins later counts from its first event on
                    ends.append(digest("end", " ".join(map(str, self.ends[name]))))
        return digest("digest", " ".join(ends))


def verify(path):
    with open(path, encoding="utf-8") as file:
        first = read(next(file))
        record = Record(first)
        for text in file:
            record.add(read(text))
    need(all(name in record.ends for name in record.lines), "a line without an event of its own")
    need(record.digest() == first["digest"], "something is missing at the end: the first line states another digest")
    need(record.n <= first["n"], "it holds more events than its first line states")
    return record


if __name__ == "__main__":
    try:
        found = verify(sys.argv[1])
        for kept in sys.argv[2:]:
            need(kept == found.digest() or kept in found.hashes.values(), f"{kept} is not in this record")
    except (
        AttributeError,
        IndexError,
        LookupError,
        OSError,
        RecursionError,
        StopIteration,
        TypeError,
        ValueError,
    ) as wrong:
        sys.exit(f"NOT VERIFIED: {wrong}")
    print(f"{found.whole} events whole, {found.partly} in part, {found.hidden} hidden; digest {found.digest()}")
    for name, (seq, head) in found.ends.items():
        print(f"{name}: event {seq}, head {head}")
