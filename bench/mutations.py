"""Small faults that a test should notice: each is one change to one place of a source file."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple


class Mutation(NamedTuple):
    """One fault: the bytes from `start` to `end` of a file are replaced by `after`."""

    path: str
    line: int
    operator: str
    start: int
    end: int
    before: str
    after: str

    def apply(self, source: str) -> str:
        """Return the source with the fault in it."""
        raw = source.encode()
        return (raw[: self.start] + self.after.encode() + raw[self.end :]).decode()

    def told(self) -> str:
        """Say in one line where the fault is and what it is."""
        return f"{self.path}:{self.line} {self.operator}: {_short(self.before)} -> {_short(self.after)}"


_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip


def mutations(path: str, source: str) -> list[Mutation]:
    """Return every fault that can be put into a source file, in the order of the file.

    Left alone: annotations and type aliases, docstrings, class and decorator arguments, and blocks for type checkers.

    >>> [each.after for each in mutations("a.py", "def f(a, b):\\n    return a < b\\n")]
    ['return None', '(a <= b)']
    """
    starts = [0]
    for text in source.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(text))

    def at(node: ast.AST) -> tuple[int, int]:
        line, end_line = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
        column, end_column = getattr(node, "col_offset", 0), getattr(node, "end_col_offset", 0)
        return starts[line - 1] + column, starts[end_line - 1] + end_column

    raw = source.encode()
    found = []
    for node in _places(ast.parse(source)):
        start, end = at(node)
        before = raw[start:end].decode()
        for operator, after in _faults(node):
            found.append(Mutation(path, getattr(node, "lineno", 0), operator, start, end, before, after))
    return found


def _places(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes that may be changed, outer ones first."""
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "keywords", "bases", "args") and _is_declaration(node):
            continue
        if name == "keywords" and isinstance(node, ast.Call) and _is_declaration_call(node):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or _is_left_alone(child):
                continue
            yield child
            yield from _places(child)


def _is_declaration(node: ast.AST) -> bool:
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.AnnAssign, ast.arg))


def _is_declaration_call(node: ast.Call) -> bool:
    return isinstance(node.func, ast.Name) and node.func.id in ("TypeVar", "NewType", "NamedTuple")


def _is_left_alone(node: ast.AST) -> bool:
    if isinstance(node, (ast.Import, ast.ImportFrom, ast.JoinedStr)):
        return True
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return True
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return True
    return (
        isinstance(node, ast.AnnAssign) and isinstance(node.annotation, ast.Name) and node.annotation.id == "TypeAlias"
    )


def _faults(node: ast.AST) -> Iterator[tuple[str, str]]:
    """What can be put in the place of a node: the operator and the new text."""
    match node:
        case ast.Compare(ops=[op], left=left, comparators=right) if type(op) in _COMPARISONS:
            yield "comparison", _text(ast.Compare(left, [_COMPARISONS[type(op)]()], right))
        case ast.BoolOp(op=op, values=values):
            yield "and/or", _text(ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "not", _text(operand)
        case ast.BinOp(op=op, left=left, right=right) if type(op) in _ARITHMETIC:
            yield "arithmetic", _text(ast.BinOp(left, _ARITHMETIC[type(op)](), right))
        case ast.Constant(value=bool() as value):
            yield "constant", str(not value)
        case ast.Constant(value=int() as value):
            yield "constant", str(value + 1)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yield "branch", _text(ast.IfExp(test, orelse, body))
        case ast.Call(func=ast.Name(id="any" | "all" as name), args=args):
            yield "any/all", _text(ast.Call(ast.Name("all" if name == "any" else "any"), args, []))
        case ast.Call(func=ast.Name(id="min" | "max" as name), args=args, keywords=keywords):
            yield "min/max", _text(ast.Call(ast.Name("max" if name == "min" else "min"), args, keywords))
        case _:
            yield from _statement_faults(node)


def _statement_faults(node: ast.AST) -> Iterator[tuple[str, str]]:
    match node:
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and value.value is None):
            yield "return None", "return None"
        case ast.Expr() | ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Break():
            yield "statement", "pass"


def _text(node: ast.expr) -> str:
    return f"({ast.unparse(ast.fix_missing_locations(node))})"


def _short(text: str, limit: int = 70) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"
