"""A referee's own tables for Dresda: what they change, how they are kept, and every mistake that is found in them."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from engine.rules.dresda.table_checks import CHECKS, loader
from engine.rules.tables.errors import TablesInvalid

HOME = files("engine.rules.dresda") / "tables"
T = loader().load()
STATUSES = ["recruit", "regular", "veteran", "champion", "hero"]


def shipped(name: str) -> str:
    return (HOME / f"{name}.toml").read_text(encoding="utf-8")


def test_tables_come_back_from_the_text_that_a_battle_keeps(tmp_path: Path) -> None:
    (tmp_path / "races.toml").write_text('[meta]\nmerge = true\n[[race]]\nid = "orc"\nrun = 28.5\n')
    tables = loader().load(tmp_path)
    assert loader().restore(tables.text) == tables
    assert (tables.race("orc").run_mm, tables.race("orc").mark("run")) == (285, "book")
    assert (tables.race("orc").mark("walk"), tables.race("elf").source) == ("seed", "house")
    assert tables.digest != T.digest


def test_a_stored_set_that_lacks_a_table_or_a_part_is_refused() -> None:
    with pytest.raises(TablesInvalid, match="stored tables lack races; "):
        loader().restore('{"format": 1, "system": "dresda", "tables": {}}')
    with pytest.raises(TablesInvalid, match=r"^the stored tables lack morale_results, effect$"):
        loader().restore(T.text.replace('"effect":', '"effects":'))


def test_shipped_files_as_own_files_change_nothing(tmp_path: Path) -> None:
    for name in loader().shape:
        (tmp_path / f"{name}.toml").write_text(shipped(name), encoding="utf-8")
    assert loader().load(tmp_path) == T


def test_a_new_status_goes_where_its_battles_put_it(tmp_path: Path) -> None:
    (tmp_path / "status.toml").write_text('[meta]\nmerge = true\n[[status]]\nid = "elite"\nbattles = 8\nnew = true\n')
    (tmp_path / "rout_desertion.toml").write_text(
        '[meta]\nmerge = true\n[[row]]\nstatus = "elite"\npercent = 8\nnew = true\n'
    )
    columns = 'id = "status_elite"\nper = "once"\nexclusive_group = "status"\nnew = true\n'
    for name, value in (("firing", 'pct = 17\nside = "firer"'), ("hth", ""), ("morale", "")):
        text = f"[meta]\nmerge = true\n[[modifier]]\n{columns}{value}\n"
        if not value:
            text += 'value = 3\nkind = "training"\n[[modifier]]\nid = "status_hero"\nvalue = 4\n'
        (tmp_path / f"{name}_modifiers.toml").write_text(text)
    tables = loader().load(tmp_path)
    assert list(tables.statuses) == [*STATUSES[:4], "elite", "hero"]
    assert tables.status_after(9) == "elite"


Change = Callable[[str], str]


def put(old: str, new: str, times: int = 1) -> Change:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new, times)

    return change


def within_row(name: str, old: str, new: str) -> Change:
    def change(text: str) -> str:
        before, row = text.split(f'= "{name}"', 1)
        assert old in row
        return f'{before}= "{name}"{row.replace(old, new, 1)}'

    return change


WRONG: dict[str, tuple[str, Change, str]] = {
    "a run that is no faster": (
        "races",
        within_row("orc", "run = 30", "run = 16"),
        "races.toml, orc: the figure must rise",
    ),
    "a walk that gets nowhere": (
        "races",
        within_row("orc", "walk = 16", "walk = 0"),
        "races.toml, orc: the figure must rise, but is 0 at standing and 0 at walk",
    ),
    "a distance below nothing": (
        "morale_modifiers",
        put("within_cm = 20", "within_cm = -20"),
        "within_cm: cannot be below 0, but is -20",
    ),
    "no defence": (
        "races",
        within_row("orc", "factor = 3", "factor = 0"),
        "must be a whole number of 1 or more, not 0",
    ),
    "a slow charge": (
        "mounts",
        within_row("wolf", "charge = 56", "charge = 40"),
        "mounts.toml, wolf: the figure must rise",
    ),
    "terrain that helps": (
        "movement_modifiers",
        within_row("scrub", "infantry_pct = -25", "infantry_pct = 25"),
        "infantry_pct: 25 at scrub lies outside -100 to 0",
    ),
    "two rows for a wound": (
        "movement_modifiers",
        within_row("scrub", 'kind = "terrain"', 'kind = "wound"'),
        "one row must be of the kind 'wound', but scrub, wounded_per_wound is",
    ),
    "a third of a move": (
        "action_costs",
        put("cost = 0.5", "cost = 0.3"),
        "cost: must come to whole half moves, but 0.3",
    ),
    "an action for nobody": (
        "action_costs",
        within_row("aim", "foot = true\nmounted = true", "foot = false\nmounted = false"),
        "action aim: nobody can do it",
    ),
    "percent that rises with range": (
        "missile_weapons",
        put('"65/5", "55/5"', '"65/5", "66/5"'),
        "missile_weapons.toml, short_bow: the figure must fall, but is 65 at 10 cm and 66 at 20 cm",
    ),
    "a factor that rises with range": (
        "missile_weapons",
        put('"65/5", "55/5"', '"65/5", "55/6"'),
        "missile_weapons.toml, short_bow: the figure must not rise",
    ),
    "a gap in the range": (
        "missile_weapons",
        put('"55/5", "45/4"', '"-", "45/4"'),
        "weapon short_bow: it must have a cell",
    ),
    "a cell that cannot be read": ("missile_weapons", put('"55/5"', '"55-5"'), "must be percent/factor such as 65/5"),
    "a cell too few": ("missile_weapons", put('"65/5", ', ""), "it has 6 cells for 7 range bands"),
    "ranges that do not rise": (
        "missile_weapons",
        put("[10, 20,", "[20, 10,"),
        "axes band_upper_cm: they must rise",
    ),
    "an unknown reload": (
        "missile_weapons",
        put('"load_light_crossbow"', '"load_light_crosbow"'),
        "there is no action 'load_light_crosbow' (did you mean load_light_crossbow?)",
    ),
    "an unknown weapon in hand": (
        "missile_weapons",
        put('"club_or_staff"', '"staff"'),
        "no weapon of hth_modifiers 'staff'",
    ),
    "night that helps": ("firing_modifiers", within_row("night", "pct = -50", "pct = 50"), "50 at night lies outside"),
    "cover in the wrong order": (
        "firing_modifiers",
        within_row("target_hard_cover", "-30", "-10"),
        "the figure must rise, but is -10 at target_hard_cover and -15 at target_soft_cover",
    ),
    "aim that hinders": ("firing_modifiers", within_row("aimed", "pct = 10", "pct = -10"), "aim must raise the chance"),
    "a kind that is none": (
        "firing_modifiers",
        put('["bow", "sling"]', '["bow", "slings"]'),
        "rain, kinds, 2: must be",
    ),
    "a side that is none": ("firing_modifiers", put('"firer"', '"fires"'), "aimed, side: must be one of firer, target"),
    "a row that replaces none": (
        "firing_modifiers",
        put('replaces = ["night"]', 'replaces = ["nigth"]'),
        "there is no row 'nigth' (did you mean night?)",
    ),
    "wounds that help": (
        "hth_modifiers",
        within_row("wounded", "value = -2", "value = 2"),
        "wounded: a wound must not help",
    ),
    "a rear better than a side": (
        "hth_modifiers",
        within_row("attacked_in_rear", "value = -3", "value = -1"),
        "the figure must rise, but is -1 at attacked_in_rear and -1 at attacked_in_side",
    ),
    "a lance that is otherwise nothing": (
        "hth_modifiers",
        put('"spear"\nsource', '"pike"\nsource'),
        "no weapon 'pike'",
    ),
    "armour that is not worn": (
        "hth_modifiers",
        put('id = "large_shield"', 'id = "huge_shield"\nnew = true'),
        "there is no item of defence_modifiers 'huge_shield'",
    ),
    "a leader who frightens": (
        "morale_modifiers",
        within_row("leader_near", "value = 1", "value = -1"),
        "-1 at leader_near lies outside",
    ),
    "a weapon that morale alone knows": (
        "morale_modifiers",
        put('["spear", "polearm"]', '["spear", "pike"]'),
        "charged_by_cavalry_with_spear_or_polearm: there is no weapon of hth_modifiers 'pike'",
    ),
    "training that hinders": (
        "hth_modifiers",
        within_row("status_veteran", "value = 1", "value = 0"),
        "hth_modifiers.toml, status: the figure must rise, but is 0 at regular and 0 at veteran",
    ),
    "two Statuses for as many battles": (
        "status",
        put("battles = 3", "battles = 1"),
        "status.toml, battles: the figure must",
    ),
    "no Status to begin with": ("status", put("battles = 0", "battles = 1"), "recruit: the first Status must take 0"),
    "better men who desert": (
        "rout_desertion",
        put("percent = 5", "percent = 50"),
        "the figure must fall, but is 10 at champion",
    ),
    "a race that deserts alone": (
        "rout_desertion",
        put('race = "goblin"', 'race = "gobblin"\nnew = true'),
        "race_adjustment: there is no race 'gobblin' (did you mean goblin?)",
    ),
    "a hole in the d100": (
        "mount_hit",
        put("roll_from = 61", "roll_from = 63"),
        "mount_hit.toml, band: nothing covers 61 to 62",
    ),
    "an overlap in the d100": (
        "thrown_from_saddle",
        put("roll_to = 40", "roll_to = 41"),
        "band: 41 is covered more than once",
    ),
    "a fall that hurts less": (
        "thrown_from_saddle",
        put("wounds = 2", "wounds = 0"),
        "wounds: the figure must not fall, but is 1 at 86 to 94 and 0 at 95 to 98",
    ),
    "a hole in the results": ("hth_results", put("diff_from = 3", "diff_from = 4"), "band: nothing covers 3"),
    "a draw that hurts": ("hth_results", put("wounds = 0", "wounds = 1"), "equal totals are a draw"),
    "a draw of one more": (
        "hth_results",
        lambda text: text.replace("diff_to = 0", "diff_to = 1").replace("diff_from = 1\n", "diff_from = 2\n"),
        "equal totals are a draw",
    ),
    "a letter without effect": ("morale_results", put('letter = "B"', 'letter = "F"'), "there is no letter 'F'"),
    "a worse letter for a higher roll": (
        "morale_results",
        lambda text: (
            text.replace('letter = "A"', 'letter = "?"', 1)
            .replace('letter = "B"', 'letter = "A"', 1)
            .replace('"?"', '"B"')
        ),
        "the figure must not rise, but is 0 at roll 4 and 1 at roll 5",
    ),
    "what comes back with a worse letter": (
        "morale_results",
        within_row("halts", "may_charge = false", "may_charge = true"),
        "effect C: may_charge must not come back after B",
    ),
    "a rally to nothing": ("morale_results", put('rallied_to = "C"', 'rallied_to = "G"'), "there is no letter 'G'"),
    "arcs with a gap": (
        "facing",
        put("bearing_from = 120", "bearing_from = 130"),
        "one band ends at 120, the next begins at 130",
    ),
    "a chance over certainty": (
        "constants",
        within_row("hit_ceiling_pct", "100", "110"),
        "110 at hit_ceiling_pct lies outside",
    ),
    "half a percent": (
        "constants",
        within_row("hit_floor_pct", "value = 1", "value = 1.5"),
        "hit_floor_pct: the value must be",
    ),
    "a column too many": (
        "races",
        put('size = "medium"', 'size = "medium"\nwounds = 3'),
        "wounds: nothing is called so here",
    ),
}


@pytest.mark.parametrize(("table", "change", "said"), WRONG.values(), ids=WRONG)
def test_what_is_wrong_in_an_own_table_is_named(tmp_path: Path, table: str, change: Change, said: str) -> None:
    text = change(shipped(table))
    assert text != shipped(table)
    if "new = true" in text:
        text = text.replace("[meta]", "[meta]\nmerge = true", 1)
    (tmp_path / f"{table}.toml").write_text(text, encoding="utf-8")
    with pytest.raises(TablesInvalid) as caught:
        loader().load(tmp_path)
    assert any(said in problem and problem.startswith(f"{table}.toml") for problem in caught.value.problems)
    assert len(caught.value.problems) <= 2


def test_every_table_has_a_check() -> None:
    assert {name for needs, _ in CHECKS for name in needs} == set(loader().shape)


def test_problems_of_every_sort_are_told_together(tmp_path: Path) -> None:
    (tmp_path / "mount_hit.toml").write_text(put("roll_from = 61", "roll_from = 62")(shipped("mount_hit")))
    (tmp_path / "races.toml").write_text('[meta]\nmerge = true\n[[race]]\nid = "orc"\nwalk = "far"\n')
    (tmp_path / "mount.toml").write_text(shipped("mounts"))
    (tmp_path / "status.toml").write_text('[meta]\nmerge = true\n[[status]]\nid = "regulars"\nbattles = 2\n')
    with pytest.raises(TablesInvalid) as caught:
        loader().load(tmp_path)
    files_named = sorted(problem.split(".toml")[0] for problem in caught.value.problems)
    assert files_named == ["mount", "mount_hit", "races", "status"]
    assert "\n" not in str(caught.value)
