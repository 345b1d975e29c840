"""Commands that open a battle and move it on, and what people say beside it."""

from __future__ import annotations

from typing import Literal

from events.commands.command import Command


class OpenBattle(Command, frozen=True, kw_only=True, tag="command.open_battle"):
    """Open a battle from a scenario, a TOML text.

    Files that the scenario names are looked for in `folder`; `tables` is a folder of tables that replace the rule set's
    own. `by_hand` names the seats that enter their own dice and `referee` says whether there is one ("present",
    "absent"); where they are empty, the scenario decides.
    """

    scenario: str
    folder: str = ""
    tables: str = ""
    by_hand: tuple[str, ...] = ()
    referee: str = ""


class Proceed(Command, frozen=True, kw_only=True, tag="command.proceed"):
    """Close the orders and resolve up to the next point where a person must act.

    `act` is the one that is meant: if another comes next, the command is refused. `by_hand` names seats that enter
    their dice in this act.
    """

    act: str = ""
    by_hand: tuple[str, ...] = ()


class EnterDice(Command, frozen=True, kw_only=True, tag="command.enter_dice"):
    """Answer rolls that are waited for, by key: with the faces that were rolled, or None to let the engine roll.

    With no key at all the engine rolls everything that is waited for.
    """

    dice: dict[str, tuple[int, ...] | None] = {}


class AnswerRuling(Command, frozen=True, kw_only=True, tag="command.answer_ruling"):
    """Answer a question that the rules put to the referee. `key` names the question."""

    key: str
    answer: str
    why: str = ""


class StateFact(Command, frozen=True, kw_only=True, tag="command.state_fact"):
    """Set a fact, here and now, such as `aldric: prone`."""

    text: str
    why: str


class AddNote(Command, frozen=True, kw_only=True, tag="command.add_note"):
    """Put words beside the record, for everybody to read."""

    text: str


class AddPrivateNote(Command, frozen=True, kw_only=True, tag="command.add_private_note"):
    """Put words beside the record that only their author, the seats in `to` and the referee can read."""

    text: str
    to: tuple[str, ...]


class AddClientSeed(Command, frozen=True, kw_only=True, tag="command.add_client_seed"):
    """Mix words of the seat's own into all later dice."""

    seed: str


class TakeSeat(Command, frozen=True, kw_only=True, tag="command.take_seat"):
    """Let `player` take the seat `taken`. `was` names who had it, if the record does not know."""

    taken: str
    player: str
    was: str = ""


class AddBookmark(Command, frozen=True, kw_only=True, tag="command.add_bookmark"):
    """Give a point of the line a name. An empty point is its end."""

    name: str
    point: str = ""


class OpenBranch(Command, frozen=True, kw_only=True, tag="command.open_branch"):
    """Open a what-if line that leaves at a point of this line; it is not played. An empty point is the line's end.

    With `dice_of` it shares the dice of another what-if line; its own name lets others share its dice.
    """

    name: str
    point: str = ""
    why: str = "what if"
    dice_of: str = ""


class MarkPosted(Command, frozen=True, kw_only=True, tag="command.mark_posted"):
    """Record that a turn, or a phase of it, was posted to a board, as it stood after event `seq` for `viewer`.

    `head` is the digest of that event. What is on record already is recorded once.
    """

    turn: int
    board: str
    viewer: str
    seq: int
    head: str
    phase: str = ""


class DeclareDicePolicy(Command, frozen=True, kw_only=True, tag="command.declare_dice_policy"):
    """Say whether the referee of this battle may set dice aside."""

    fudging: Literal["forbidden", "allowed"]
    why: str = ""


class RecommitDice(Command, frozen=True, kw_only=True, tag="command.recommit_dice"):
    """Let the dice come from a new root, because the old one is not in this file.

    Every seat must give a new client seed before the next act opens, but for those of `without`.
    """

    why: str
    without: tuple[str, ...] = ()


class RevealDiceRoot(Command, frozen=True, kw_only=True, tag="command.reveal_dice_root"):
    """Reveal the root of the dice of a battle that is over, so that everything derived from it can be proved."""


class NameBeacon(Command, frozen=True, kw_only=True, tag="command.name_beacon"):
    """Agree on a coming round of a public beacon, to be mixed into the dice."""

    beacon: str
    round: int


class AddBeacon(Command, frozen=True, kw_only=True, tag="command.add_beacon"):
    """Mix a round that was named into all later dice. `randomness`, if given, must be the signature's SHA-256."""

    beacon: str
    round: int
    signature: str
    randomness: str = ""
