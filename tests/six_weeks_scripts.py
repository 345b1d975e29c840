"""What is played in six weeks by post: for each rule set the orders of both players, week by week."""

from __future__ import annotations

from tests.six_weeks import Script

SCRIPTS = (
    Script(
        scenario="dresda_skirmish",
        red="orcs",
        blue="men",
        turns=(1, 2, 3, 4, 5, 6),
        weeks=(
            (
                "grubnik: walk 30.1,12\nsnaga: shoot short_bow at wilmot",
                "aldric: walk 34.2,44\nwilmot: shoot light_crossbow at grubnik",
            ),
            ("grubnik: walk 30.3,17\nsnaga: shoot short_bow at wilmot", "aldric: walk 34.4,40"),
            ("grubnik: walk 30.5,19\nsnaga: shoot short_bow at wilmot", ""),
            ("snaga: shoot short_bow at wilmot", "wilmot: load light_crossbow"),
            ("grubnik: walk 30.9,12\nsnaga: shoot short_bow at wilmot", "wilmot: shoot light_crossbow at grubnik"),
            ("snaga: shoot short_bow at wilmot", "aldric: walk towards 34.6,44 as far as possible"),
        ),
        standing="aldric: hold\nwilmot: hold",
        ruling=("t1/missile/wilmot>grubnik/hit", "99"),
    ),
    Script(
        scenario="rhand_duel",
        red="red",
        blue="blue",
        turns=(1, 1, 2, 2, 3, 3),
        weeks=(
            ("tomas: walk back", "guard: walk left"),
            ("tomas: fight parry 1", "guard: fight tomas/normal"),
            ("tomas: walk forward", ""),
            ("tomas: fight guard/normal", "guard: fight parry 1"),
            ("tomas: walk right", "guard: walk right"),
            ("tomas: dodge", "guard: dodge"),
        ),
        standing="guard: walk forward\nguard: fight tomas/normal",
        ruling=("t2/blows/tomas>guard/1/hit", "99"),
        edits=(('armor = "leather"', 'armor = "plate"'), ("knockout = 1", "knockout = 19")),
    ),
    Script(
        scenario="if_squads",
        red="watch",
        blue="wolves",
        turns=(1, 2, 3, 4, 5, 6),
        weeks=(
            ("w_bows: stand aim\nw_riders: move 55,37", "g_bows: move 91,281\ng_boys: move 110,283"),
            ("w_bows: stand aim\nw_riders: move 52,34", "g_bows: move 92,282"),
            ("w_bows: stand aim\nw_riders: move 50,32", ""),
            ("w_bows: stand aim\nw_riders: move 48,30", "g_bows: move 93,283"),
            ("w_bows: stand aim\nw_riders: move 46,28", "g_bows: move 94,284"),
            ("w_bows: stand aim\nw_riders: move 44,26", "g_bows: move 95,285"),
        ),
        standing="g_bows: move 96,286",
        ruling=("t4/order/wenna>w_riders", "1,1,1,1,1"),
        edits=(
            ("height = 160", "height = 300"),
            ("115]", "275]"),
            ("120]", "280]"),
            ('standing = "fight"', 'standing = "hold"'),
            ('standing = "shoot"', 'standing = "hold"'),
            ('standing = "charge"', 'standing = "hold"'),
        ),
    ),
)
