"""A scene as an SVG picture: the same bytes for the same scene, legible without colour, with text for those who listen.

Sides differ by shape and by filling, ground by its hatching; the fallen are crossed out, those who flee are dashed and
carry chevrons behind them. All arithmetic is whole tenths of a page unit; a page is 960 units wide or 720 high.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from msgspec import Struct

from events.places import Point
from projections.labels import HEIGHT, Box, Spot, place_labels, shorten, text_width
from projections.scene import NOBODY, Area, Look, Mark, Scene, Standing, Wall, place_of

_WIDEST, _HIGHEST = 9600, 7200
_SMALLEST = 120
_LINE = 220

STYLE: Final = (
    ".wd{background:#fff}.wd text{font-family:'DejaVu Sans',Verdana,sans-serif;font-size:14px;fill:#111;stroke:#fff;"
    "stroke-width:3px;stroke-linejoin:round;paint-order:stroke}.wd .title{font-size:16px;font-weight:bold}"
    ".wd .small{font-size:12px;font-style:italic;fill:#333}"
    ".wd .edge{fill:#fdfcf7;stroke:#111;stroke-width:1.5}.wd .area{stroke:#555;stroke-width:1}"
    ".wd .cell{stroke:#999;stroke-width:.8}.wd .wall{fill:none;stroke:#222;stroke-width:5}"
    ".wd .thin{fill:none;stroke:#222;stroke-width:2.5;stroke-dasharray:7 3}"
    ".wd .body{stroke:#000;stroke-width:1.8;stroke-linejoin:round}"
    ".wd .f0{fill:#12305e}.wd .f1{fill:#fff3c9}.wd .f2{fill:url(#wd-bars)}.wd .f3{fill:url(#wd-dots)}"
    ".wd .fn{fill:#ccc}.wd .down .body{fill-opacity:.25;stroke-width:1}.wd .routing .body{stroke-dasharray:4 3}"
    ".wd .routing .f0{fill-opacity:.6}.wd .front{fill:#000;stroke:#fff;stroke-width:.6}"
    ".wd .cross{fill:none;stroke:#fff;stroke-width:3.5}.wd .cross+.cross{stroke:#b00020;stroke-width:1.8}"
    ".wd .flee{fill:none;stroke:#000;stroke-width:2}.wd .scale{stroke:#111;stroke-width:2}"
)
"""The style of every picture. Colours only help: take them away and everything can still be told apart."""

_HATCHES: Final[dict[Look, str]] = {
    "open": "",
    "field": '<path d="M4 0V16M12 0V16" stroke="#b9a25a" stroke-width=".8"/>',
    "wood": '<path d="M4 7l4-6 4 6zM8 7v3M-4 15l4-6 4 6zM12 15l4-6 4 6zM0 15v1M16 15v1" fill="#bcd7ac" '
    'stroke="#3d5f32" stroke-width=".9"/>',
    "water": '<path d="M0 4q4-4 8 0t8 0M0 12q4-4 8 0t8 0" fill="none" stroke="#2b6ca3" stroke-width="1.1"/>',
    "marsh": '<path d="M1 12h10M3 12l-1-4M6 12V6M9 12l1-4M10 4h5" fill="none" stroke="#4f6f6a" stroke-width="1"/>',
    "rough": '<path d="M2 5l2-3 3 3zM9 13l3-4 3 4z" fill="#d9d2c4" stroke="#6b5f4b" stroke-width=".9"/>',
    "slope": '<path d="M-2 10L10-2M6 18L18 6" fill="none" stroke="#8a6d3b" stroke-width="1"/>',
    "road": '<circle cx="4" cy="4" r=".9" fill="#97865f"/><circle cx="12" cy="12" r=".9" fill="#97865f"/>',
    "ditch": '<path d="M-2 6l12 12M6-2l12 12M-2-2l20 20" fill="none" stroke="#555" stroke-width="1"/>',
    "building": '<path d="M0 0h16v16M0 8h16M4 0v8M12 8v8" fill="none" stroke="#7c5a4a" stroke-width="1.1"/>',
    "works": '<path d="M0 0l16 16M16 0L0 16" fill="none" stroke="#6a4d2c" stroke-width="1"/>',
    "cell": "",
    "closed": '<path d="M0 0l16 16M16 0L0 16" fill="none" stroke="#333" stroke-width="1.6"/>',
}
_TINTS: Final[dict[Look, str]] = {
    "open": "#fdfcf7", "field": "#fbf5d9", "wood": "#e9f3e2", "water": "#dcecf8", "marsh": "#e4efec",
    "rough": "#f4f1ea", "slope": "#f8f1e2", "road": "#f3ead2", "ditch": "#ececec", "building": "#f1e3dc",
    "works": "#f0e6d8", "cell": "#fdfcf7", "closed": "#e2e2e2",
}  # fmt: skip

DEFS: Final = (
    "<defs>"
    + "".join(
        f'<pattern id="wd-{look}" width="16" height="16" patternUnits="userSpaceOnUse">'
        f'<rect width="16" height="16" fill="{_TINTS[look]}"/>{hatch}</pattern>'
        for look, hatch in _HATCHES.items()
    )
    + '<pattern id="wd-bars" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect width="5" height="5" fill="#e6f4e2"/><path d="M0 0V5" stroke="#174d1c" stroke-width="4"/></pattern>'
    '<pattern id="wd-dots" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" '
    'fill="#f4e6f6"/><circle cx="3" cy="3" r="1.7" fill="#5b1a66"/></pattern></defs>'
)
"""The hatchings and fillings that `STYLE` and the markup speak of. The same picture part may stand on a page once."""

_STATES: Final[dict[Standing, str]] = {"down": "fallen", "routing": "fleeing"}


class Sheet(Struct, frozen=True, gc=False):
    """How a field of so many millimetres lies on the page."""

    width: int
    height: int

    def tenths(self, mm: int) -> int:
        """Turn a length on the field into tenths of a page unit, rounded half up."""
        over, under = self._scale()
        return (2 * mm * over + under) // (2 * under)

    def spot(self, place: Point) -> tuple[int, int]:
        """Turn a place into tenths of page units from the top left corner."""
        return self.tenths(place.x), self.tenths(self.height) - self.tenths(place.y)

    def _scale(self) -> tuple[int, int]:
        if self.width <= 0 or self.height <= 0:
            return 1, 1
        return (_WIDEST, self.width) if self.width * _HIGHEST >= self.height * _WIDEST else (_HIGHEST, self.height)


def number(tenths: int) -> str:
    """Write tenths as a number.

    >>> number(125), number(-7), number(30)
    ('12.5', '-0.7', '3')
    """
    whole, rest = divmod(abs(tenths), 10)
    return ("-" if tenths < 0 else "") + (f"{whole}.{rest}" if rest else str(whole))


# ---------------------------------------------------------------------------------------------------- the ground


def area_markup(sheet: Sheet, area: Area) -> str:
    """Draw ground with its label. The label is escaped."""
    kind = "cell" if area.look in ("cell", "closed") else "area"
    corners = " ".join(f"{number(x)},{number(y)}" for x, y in map(sheet.spot, area.outline))
    drawn = f'<polygon class="{kind}" fill="url(#wd-{area.look})" points="{corners}"/>'
    x, y = _middle(sheet, area)
    return drawn + _text(x, y + 40, shorten(area.label), "middle", "small") if area.label else drawn


def _middle(sheet: Sheet, area: Area) -> tuple[int, int]:
    across, down = zip(*map(sheet.spot, area.outline), strict=True)
    return (min(across) + max(across)) // 2, (min(down) + max(down)) // 2


def wall_markup(sheet: Sheet, wall: Wall) -> str:
    """Draw a wall with its label beside its middle, of a thin one on the other side. The label is escaped."""
    points = " ".join(f"{number(x)},{number(y)}" for x, y in map(sheet.spot, wall.points))
    drawn = f'<polyline class="{"thin" if wall.thin else "wall"}" points="{points}"/>'
    x, y = _beside(sheet, wall)
    return drawn + _text(x, y, shorten(wall.label), "middle", "small") if wall.label else drawn


def _beside(sheet: Sheet, wall: Wall) -> tuple[int, int]:
    one, other = (sheet.spot(wall.points[place // 2]) for place in (len(wall.points) - 1, len(wall.points)))
    return (one[0] + other[0]) // 2, (one[1] + other[1]) // 2 + (140 if wall.thin else -60)


def _named(sheet: Sheet, scene: Scene) -> list[Box]:
    """The room that the names of areas and walls take."""
    lines = [(area.label, _middle(sheet, area)) for area in scene.areas if area.label]
    lines = [(label, (x, y + 40)) for label, (x, y) in lines]
    lines += [(wall.label, _beside(sheet, wall)) for wall in scene.walls if wall.label]
    widths = [text_width(shorten(label)) for label, _ in lines]
    return [Box(x - width // 2, y - 110, width, HEIGHT) for (_, (x, y)), width in zip(lines, widths, strict=True)]


# ---------------------------------------------------------------------------------------------------- the pieces


def glyph(sheet: Sheet, mark: Mark) -> str:
    """Draw a piece without its name, its middle at the origin, facing up. It holds nothing that a person wrote."""
    width, depth = _size(sheet, mark)
    parts = [_body(mark.side, width, depth)]
    if mark.facing is not None:
        base, tip = min(width // 3, 60), min(max(depth // 2, 50), 90)
        front = number(-depth // 2)
        parts.append(
            f'<path class="front" d="M{number(-base)} {front}L0 {number(-depth // 2 - tip)}L{number(base)} {front}Z"/>'
        )
    if mark.state == "down":
        x, y = number(width // 2 + 20), number(depth // 2 + 20)
        cross = f'<path class="cross" d="M-{x}-{y}L{x} {y}M-{x} {y}L{x}-{y}"/>'
        parts += [cross, cross]
    if mark.state == "routing":
        rear = depth // 2
        parts += [_chevron(rear + 20), _chevron(rear + 70)]
    return f'<g class="{mark.state}">{"".join(parts)}</g>'


def _chevron(top: int) -> str:
    return f'<path class="flee" d="M-5 {number(top + 40)}L0 {number(top)}L5 {number(top + 40)}"/>'


def _size(sheet: Sheet, mark: Mark) -> tuple[int, int]:
    """How wide and deep a piece is drawn, in tenths: to scale, but never too small to tell."""
    width, depth = sheet.tenths(mark.width), sheet.tenths(mark.depth)
    small = min(width, depth)
    if small < _SMALLEST and small > 0:
        grow = min(_SMALLEST - small, max(_SMALLEST - max(width, depth), 40))
        width, depth = width + grow, depth + grow
    return max(width, _SMALLEST // 2), max(depth, _SMALLEST // 2)


def _body(side: int, width: int, depth: int) -> str:
    """The shape and filling that tell a side: a disc, square, diamond, hexagon or octagon; a formed unit's corners."""
    fill = "fn" if side == NOBODY else f"f{side % 4}"
    x, y = width // 2, depth // 2
    if max(width, depth) * 2 > min(width, depth) * 3:  # a formed unit
        round_ = f' rx="{number(min(x, y) * 9 // 10)}"' if side % 2 else ""
        return (
            f'<rect class="body {fill}" x="{number(-x)}" y="{number(-y)}" width="{number(2 * x)}" '
            f'height="{number(2 * y)}"{round_}/>'
        )
    if side == NOBODY:
        corners = [(-3, -1), (-1, -1), (-1, -3), (1, -3), (1, -1), (3, -1), (3, 1), (1, 1), (1, 3), (-1, 3), (-1, 1)]
        return _polygon(fill, [*corners, (-3, 1)], x, y, 3)
    shapes = {
        1: [(-9, -9), (9, -9), (9, 9), (-9, 9)],
        2: [(0, -13), (13, 0), (0, 13), (-13, 0)],
        3: [(-6, -10), (6, -10), (12, 0), (6, 10), (-6, 10), (-12, 0)],
        4: [(-4, -10), (4, -10), (10, -4), (10, 4), (4, 10), (-4, 10), (-10, 4), (-10, -4)],
    }
    if side % 5 == 0:
        return f'<ellipse class="body {fill}" rx="{number(x)}" ry="{number(y)}"/>'
    return _polygon(fill, shapes[side % 5], x, y, 10)


def _polygon(fill: str, corners: Iterable[tuple[int, int]], x: int, y: int, under: int) -> str:
    points = " ".join(f"{number(x * a // under)},{number(y * b // under)}" for a, b in corners)
    return f'<polygon class="body {fill}" points="{points}"/>'


def box_of(sheet: Sheet, mark: Mark) -> Box:
    """Return the room that a piece takes on the page, upright, in tenths, with its front."""
    width, depth = _size(sheet, mark)
    turned = 0 if mark.facing is None else mark.facing % 180
    if turned == 90:
        width, depth = depth, width
    elif turned:
        width = depth = max(width, depth)
    x, y = sheet.spot(mark.at)
    rim = 0 if mark.facing is None else 50
    return Box(x - width // 2 - rim, y - depth // 2 - rim, width + 2 * rim, depth + 2 * rim)


def told(scene: Scene, mark: Mark) -> str:
    """Tell a piece in words: name, side, how it is, where it is, how it faces."""
    side = scene.sides[mark.side] if 0 <= mark.side < len(scene.sides) else ""
    place = f"at {place_of(scene, mark.at)}" if scene.unit_name else ""
    facing = "" if mark.facing is None else f"facing {mark.facing:03d}°"
    state = "" if mark.state == "up" else _STATES.get(mark.state, mark.state)
    return ", ".join(part for part in (mark.label, side, state, place, facing, mark.note) if part)


# ---------------------------------------------------------------------------------------------------- the picture


def draw(scene: Scene) -> str:
    """Return a scene as one SVG document, ending with a newline. Everything that people wrote is escaped.

    Cost: linear in the scene, but for labels, each of which is held against every other.

    >>> draw(Scene(1000, 500, "An <empty> field"))[:74]
    '<svg xmlns="http://www.w3.org/2000/svg" class="wd" role="img" viewBox="-20'
    """
    sheet = Sheet(scene.width, scene.height)
    fallen = [mark for mark in scene.marks if mark.state == "down"]
    standing = [mark for mark in scene.marks if mark.state not in ("down", "gone")]
    below, depth = legend(scene, {mark.state for mark in scene.marks})
    words = [told(scene, mark) for mark in scene.marks]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" class="wd" role="img" {view_box(sheet, depth)} '
            'aria-labelledby="wd-title wd-desc">',
            f'<title id="wd-title">{clean(scene.title or "the field")}</title>',
            f'<desc id="wd-desc">{clean(". ".join(words))}</desc>',
            f"<style>{STYLE}</style>",
            DEFS,
            edge(sheet),
            _text(0, -90, scene.title, look="title"),
            *(area_markup(sheet, area) for area in scene.areas),
            *(wall_markup(sheet, wall) for wall in scene.walls),
            *(_placed(sheet, scene, mark) for mark in (*fallen, *standing)),
            *_labels(sheet, [*standing, *fallen], _named(sheet, scene)),
            below,
            "</svg>\n",
        ]
    )


def view_box(sheet: Sheet, below: int) -> str:
    """Return the page's bounds as attributes; `below` tenths are left under the field."""
    width, height = sheet.tenths(sheet.width) + 400, sheet.tenths(sheet.height) + 500 + below
    return f'viewBox="-20 -30 {number(width)} {number(height)}"'


def edge(sheet: Sheet) -> str:
    """Draw the bounds of the field."""
    width, height = sheet.tenths(sheet.width), sheet.tenths(sheet.height)
    return f'<rect class="edge" width="{number(width)}" height="{number(height)}"/>'


def _placed(sheet: Sheet, scene: Scene, mark: Mark) -> str:
    x, y = sheet.spot(mark.at)
    turned = f'<g transform="rotate({mark.facing})">{glyph(sheet, mark)}</g>' if mark.facing else glyph(sheet, mark)
    return (
        f'<g transform="translate({number(x)} {number(y)})"><title>{clean(told(scene, mark))}</title>{turned}</g>'
    )  # fmt: skip


def _labels(sheet: Sheet, marks: Sequence[Mark], taken: Sequence[Box]) -> list[str]:
    texts = [shorten(mark.label) for mark in marks]
    bounds = Box(-200, -200, sheet.tenths(sheet.width) + 400, sheet.tenths(sheet.height) + 400)
    spots = place_labels([box_of(sheet, mark) for mark in marks], texts, bounds, taken)
    return [_label(spot, text) for spot, text in zip(spots, texts, strict=True) if text]


def _label(spot: Spot, text: str) -> str:
    return _text(spot.x, spot.y, text, spot.anchor)


def _text(x: int, y: int, text: str, anchor: str = "start", look: str = "") -> str:
    kind = f' class="{look}"' if look else ""
    where = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text{kind} x="{number(x)}" y="{number(y)}"{where}>{clean(text)}</text>'


def legend(scene: Scene, states: Iterable[Standing] = ("down", "routing")) -> tuple[str, int]:
    """Draw what the shapes and hatchings mean, and the scale; return it with the depth that it takes, in tenths."""
    sheet = Sheet(scene.width, scene.height)
    wide, top = max(sheet.tenths(scene.width), 4000), sheet.tenths(scene.height) + 340
    x, y, parts = 100, top, []
    found = set(states)
    samples = [(_sample(number), name) for number, name in enumerate(scene.sides)]
    samples += [(_sample(0, state), words) for state, words in _STATES.items() if state in found]
    looks = dict.fromkeys(area.look for area in scene.areas if area.look not in ("open", "cell"))
    samples += [
        (f'<rect class="area" x="-10" y="-7" width="20" height="14" fill="url(#wd-{look})"/>', look) for look in looks
    ]
    if scene.walls:
        samples.append(('<path class="wall" d="M-10 0H10"/>', "wall"))
    for drawn, words in samples:
        room = text_width(words) + 480
        if x > 100 and x + room > wide:
            x, y = 100, y + _LINE
        parts.append(f'<g transform="translate({number(x)} {number(y)})">{drawn}</g>')
        parts.append(_text(x + 160, y + 45, words))
        x += room
    if samples:
        y += _LINE + 60
    return "".join(parts) + _scale(scene, sheet, y), y + 160 - sheet.tenths(scene.height)


def _sample(side: int, state: Standing = "up") -> str:
    return glyph(Sheet(_WIDEST, _HIGHEST), Mark("", "", side, Point(0, 0), None, 140, 140, state))


def _scale(scene: Scene, sheet: Sheet, y: int) -> str:
    """A scale of a round number of units, about a fifth of the field long; nothing for a field without a unit."""
    north = _text(40, y + 40, "↑ north")
    if not scene.unit_name or scene.width < scene.unit:
        return north
    fifth = max(scene.width // scene.unit // 5, 1)
    power = 10 ** (len(str(fifth)) - 1)
    length = next(step * power for step in (5, 2, 1) if step * power <= fifth)
    end, high, low = number(1100 + sheet.tenths(length * scene.unit)), number(y - 40), number(y)
    bar = f'<path class="scale" fill="none" d="M110 {high}v8M110 {low}H{end}M{end} {high}v8"/>'
    return north + bar + _text(1180 + sheet.tenths(length * scene.unit), y + 40, f"{length} {scene.unit_name}")


def clean(text: str) -> str:
    """Escape a text for XML; what XML cannot hold is shown by its number.

    >>> clean('Ann & "Bob" </text>\\x00')
    'Ann &amp; &quot;Bob&quot; &lt;/text&gt;&lt;U+0000&gt;'
    """
    shown = "".join(char if char.isprintable() else f"<U+{ord(char):04X}>" for char in text)
    return escape(shown)
