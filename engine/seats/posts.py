"""A pasted post as a sheet of orders: refused, with its line, where it cannot be told what was meant."""

from __future__ import annotations

from engine.battle import Battle
from engine.orders import read_order, read_sheet
from engine.orders.errors import OrderError, OrderUnreadable, SheetRefused
from engine.orders.pasted import read_pasted


def orders_in_post(battle: Battle, text: str) -> str:
    """Return the orders of a post, each on the line on which it stands there.

    Raises `SheetRefused` with every problem: prose that is not marked, a bracket that is never closed, an order under
    the mark of a signature, where it may have been cut off by mistake.
    """
    battle.refresh()
    rules = battle.rules
    names = rules.vocabulary(battle.situation())
    pieces = [*names.pieces, *names.pieces.values()]
    post = read_pasted(text, pieces)
    problems: list[OrderError] = []
    if post.unclosed[0]:
        line, end = post.unclosed
        problems.append(OrderUnreadable(f"what begins here is never closed: {end} is missing", line))
    for line, below in post.below:
        try:
            read_order(below, rules.grammar, names)
        except OrderError:
            continue
        problems.append(OrderUnreadable("this order stands under the mark of a signature: put it above", line, below))
    try:
        read_sheet(post.text, rules.grammar, names)
    except SheetRefused as refused:
        problems += [_with_advice(each) for each in refused.problems if isinstance(each, OrderError)]
    if problems:
        raise SheetRefused(problems)
    return post.text


def _with_advice(problem: OrderError) -> OrderError:
    """Say how prose is marked, where a line may be prose: it names nobody who is ordered."""
    if ":" in problem.text:
        return problem
    return OrderUnreadable(f"{problem.reason}; prose goes in (( … )) or behind OOC:", problem.line, problem.text)
