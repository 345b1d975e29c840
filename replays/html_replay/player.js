"use strict";
(() => {
  const film = JSON.parse(document.getElementById("data").textContent);
  const SVG = "http://www.w3.org/2000/svg";
  const end = film.captions.length - 1;
  const STRIDE = 64;
  const byId = (id) => document.getElementById(id);
  const text = (number) => film.strings[number];

  // ---------------------------------------------------------------------------------------------------- frames

  const sparse = (rows) => new Map(rows.map((row) => [row[0], row.slice(1)]));
  const ground = sparse(film.ground);
  const titles = sparse(film.titles);
  const causes = sparse(film.causes);

  function apply(state, frame) {
    for (const [piece, mask, ...values] of film.marks[frame]) {
      if (!mask) { state.marks.delete(piece); continue; }
      const pose = (state.marks.get(piece) || Array(8).fill(0)).slice();
      for (let field = 0, next = 0; field < 8; field++) if (mask >> field & 1) pose[field] = values[next++];
      state.marks.set(piece, pose);
    }
    const lies = ground.get(frame);
    if (lies) {
      state.ground = new Map(state.ground);
      for (let i = 0; i < lies.length; i += 2) {
        if (lies[i + 1] < 0) state.ground.delete(lies[i]); else state.ground.set(lies[i], lies[i + 1]);
      }
    }
    if (titles.has(frame)) state.title = titles.get(frame)[0];
    return state;
  }

  const copy = (state) => ({ marks: new Map(state.marks), ground: state.ground, title: state.title });
  const kept = [];
  {
    const state = { marks: new Map(), ground: new Map(), title: 0 };
    for (let frame = 0; frame <= end; frame++) {
      apply(state, frame);
      if (frame % STRIDE === 0) kept.push(copy(state));
    }
  }

  function stateAt(frame) {
    const state = copy(kept[Math.floor(frame / STRIDE)]);
    for (let at = frame - frame % STRIDE + 1; at <= frame; at++) apply(state, at);
    return state;
  }

  const moments = [];
  film.times.reduce((sum, gap) => (moments.push(sum + gap), sum + gap), 0);

  /** The last row of a sparse column at or before a frame: its place in the column, or -1. */
  function lastOf(rows, frame) {
    let low = 0, high = rows.length;
    while (low < high) {
      const middle = low + high >> 1;
      if ((Array.isArray(rows[middle]) ? rows[middle][0] : rows[middle]) <= frame) low = middle + 1; else high = middle;
    }
    return low - 1;
  }

  // ---------------------------------------------------------------------------------------------------- the field

  const across = film.width > 0 && film.height > 0
    ? (film.width * 7200 >= film.height * 9600 ? 960 / film.width : 720 / film.height) : 1;
  const spot = (pose) => [pose[1] * across, (film.height - pose[2]) * across];
  const drawn = new Map();
  let lying = null;

  function drawGround(state) {
    if (state.ground === lying) return;
    lying = state.ground;
    names = null;
    const rows = [...lying].sort((a, b) => a[0] - b[0]);
    for (const [layer, id] of [[0, "areas"], [1, "walls"]]) {
      byId(id).innerHTML = rows.filter((row) => film.items[row[0]][0] === layer).map((row) => text(row[1])).join("");
    }
  }

  /** Draw the pieces as they stand; tell whether anything but the rings was touched. */
  function drawMarks(state, touched) {
    let moved = false;
    for (const [piece, each] of drawn) {
      if (!state.marks.has(piece)) { each.group.remove(); drawn.delete(piece); moved = true; }
    }
    for (const [piece, pose] of state.marks) {
      let each = drawn.get(piece);
      if (!each) {
        each = { group: document.createElementNS(SVG, "g"), pose: null, ring: false };
        each.name = each.group.appendChild(document.createElementNS(SVG, "title"));
        each.body = each.group.appendChild(document.createElementNS(SVG, "g"));
        drawn.set(piece, each);
      }
      if (each.pose !== pose) { drawMark(each, piece, pose); moved = true; }
      if (each.ring !== touched.has(piece)) {
        each.ring = touched.has(piece);
        if (each.ring) {
          const ring = document.createElementNS(SVG, "circle");
          ring.setAttribute("class", "changed");
          ring.setAttribute("r", Math.max(each.box.width, each.box.height) / 2 + 8);
          each.group.append(ring);
        } else each.group.querySelector(".changed")?.remove();
      }
    }
    if (moved || !names) placeLabels(state);
    return moved;
  }

  function drawMark(each, piece, pose) {
    const old = each.pose;
    each.pose = pose;
    if (!old || old[0] !== pose[0]) each.body.innerHTML = text(pose[0]);
    const [x, y] = spot(pose);
    each.group.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
    each.group.setAttribute("data-piece", film.pieces[piece]);
    each.body.setAttribute("transform", `rotate(${Math.max(pose[3], 0)})`);
    const layer = byId(film.standings[pose[6]] === "down" ? "fallen" : "marks");
    if (each.group.parentNode !== layer) layer.append(each.group);
    each.group.style.display = film.standings[pose[6]] === "gone" ? "none" : "";
    each.name.textContent = words(pose).filter(Boolean).join(", ");
    const box = each.group.style.display ? { width: 0, height: 0, x: 0, y: 0 } : each.body.getBBox();
    const turned = pose[3] % 180 === 90;
    const square = pose[3] > 0 && pose[3] % 90 !== 0 ? Math.max(box.width, box.height) : 0;
    const width = square || (turned ? box.height : box.width), height = square || (turned ? box.width : box.height);
    each.box = { x: x - width / 2, y: y - height / 2, width, height };
  }

  // A length in the field's unit, rounded half up to a tenth, as orders and posts write it.
  function tenths(mm) {
    return (mm < 0 ? "-" : "") + Math.floor((20 * Math.abs(mm) + film.unit) / (2 * film.unit)) / 10;
  }

  function words(pose) {
    const place = film.unit_name ? `${tenths(pose[1])},${tenths(pose[2])} ${film.unit_name}` : "";
    const facing = pose[3] < 0 ? "" : `${String(pose[3]).padStart(3, "0")}°`;
    const state = pose[5] < 0 ? "" : film.standings[pose[6]];
    return [text(pose[4]), film.sides[pose[5]] || "", state, place, facing, text(pose[7])];
  }

  // Names stand where they cover least: beside the piece, below, above, at its corners.
  const widths = new Map();
  function widthOf(label, words) {
    if (!widths.has(words)) widths.set(words, label.getComputedTextLength());
    return widths.get(words);
  }

  const overlap = (a, b) => {
    const x = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
    const y = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
    return x > 0 && y > 0 ? x * y : 0;
  };

  function spots(box, width) {
    const right = box.x + box.width + 4, left = box.x - 4, middle = box.x + box.width / 2;
    const line = box.y + box.height / 2 + 4.5, below = box.y + box.height + 14, above = box.y - 7;
    const sides = [[right, line, 0], [left, line, 1]], ends = [[middle, below, .5], [middle, above, .5]];
    const order = box.width > 2 * box.height ? [...ends, ...sides] : [...sides, ...ends];
    return [...order, [right, below, 0], [right, above, 0], [left, below, 1], [left, above, 1]]
      .map(([x, y, part]) => ({ x: x - width * part, y: y - 11, width, height: 14, line: y }));
  }

  let names = null;
  function named() {
    if (!names) names = [...document.querySelectorAll("#areas text, #walls text")].map((label) => label.getBBox());
    return names;
  }

  function placeLabels(state) {
    const shown = [...state.marks].filter(([piece]) => !drawn.get(piece).group.style.display);
    const bounds = { x: -20, y: -20, width: film.width * across + 40, height: film.height * across + 40 };
    const labels = byId("labels");
    while (labels.childElementCount > shown.length) labels.lastChild.remove();
    while (labels.childElementCount < shown.length) labels.append(document.createElementNS(SVG, "text"));
    const placed = [], fast = named();
    shown.forEach(([piece, pose], number) => {
      const label = labels.children[number], own = drawn.get(piece);
      const whole = text(pose[4]), words = whole.length > 24 ? `${whole.slice(0, 23)}…` : whole;
      if (label.textContent !== words) label.textContent = words;
      let best = null, least = Infinity;
      for (const box of spots(own.box, widthOf(label, words))) {
        let cost = 2 * (box.width * box.height - overlap(box, bounds));
        for (const other of placed) cost += 2 * overlap(box, other);
        for (const other of fast) cost += overlap(box, other);
        for (const [other] of shown) if (other !== piece) cost += overlap(box, drawn.get(other).box);
        if (cost < least) { least = cost; best = box; }
      }
      placed.push(best);
      label.setAttribute("x", best.x.toFixed(1));
      label.setAttribute("y", best.line.toFixed(1));
    });
  }

  // ---------------------------------------------------------------------------------------------------- the words

  const make = (tag, words, kind) => {
    const element = document.createElement(tag);
    if (words !== undefined) element.textContent = words;
    if (kind) element.className = kind;
    return element;
  };

  function tellWhy(frame) {
    const panel = byId("why"), rules = new Set();
    panel.replaceChildren();
    for (const each of [...(causes.get(frame) || []), frame]) {
      const [lines, ids] = film.whys[film.why[each]];
      ids.forEach((id) => rules.add(text(id)));
      if (!lines.length) continue;
      if (each !== frame) panel.append(make("p", `${each}  ${film.captions[each]}`, "of"));
      const list = panel.appendChild(make("ul"));
      lines.forEach((line) => list.append(make("li", text(line))));
    }
    for (const rule of rules) if (film.rules[rule]) panel.append(make("p", `${rule}: ${film.rules[rule]}`, "rule"));
    if (!panel.childElementCount) panel.append(make("p", "Nothing had to be worked out."));
  }

  const rank = ([, pose]) => pose[5] < 0 ? Infinity : pose[5];

  function tellPieces(state, touched) {
    const rows = [...state.marks].sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)) || a[0] - b[0]).map(([piece, pose]) => {
      const row = make("tr", undefined, touched.has(piece) ? "touched" : "");
      words(pose).forEach((cell, number) => {
        const box = make(number ? "td" : "th", cell);
        if (!number) box.scope = "row";
        row.append(box);
      });
      return row;
    });
    byId("pieces").replaceChildren(...rows);
  }

  const AROUND = 40;
  function tellStory(frame) {
    const list = byId("events"), rows = [];
    for (let each = Math.max(0, frame - AROUND); each <= Math.min(end, frame + AROUND); each++) {
      const turn = film.turns[lastOf(film.turns, each)];
      if (turn && turn[0] === each) rows.push(make("li", `Turn ${turn[1]}`, "heading"));
      const row = make("li"), link = row.appendChild(make("a", `${each}  ${film.captions[each]}`));
      link.href = `#${each}`;
      link.tabIndex = each === frame ? 0 : -1;
      if (each === frame) row.setAttribute("aria-current", "step");
      rows.push(row);
    }
    list.replaceChildren(...rows);
    const current = list.querySelector("[aria-current]");
    list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
  }

  function tell(frame, state) {
    const turn = lastOf(film.turns, frame), act = lastOf(film.acts, frame), roll = lastOf(film.rolls, frame);
    byId("when").textContent = turn < 0 ? "Before the first turn" : `Turn ${film.turns[turn][1]}`;
    const within = act >= 0 && (turn < 0 || film.acts[act][0] > film.turns[turn][0]);
    byId("phase").textContent = within ? text(film.acts[act][1]) : "";
    byId("caption").textContent = `${frame}  ${film.captions[frame]}`;
    const when = frame ? new Date(moments[frame] * 1000).toISOString().replace(".000Z", "Z") : "";
    byId("who").textContent = [text(film.kinds[frame]), text(film.actors[frame]), when].filter(Boolean).join(" · ");
    byId("roll").textContent = roll < 0 ? "none yet" : `${film.rolls[roll]}  ${film.captions[film.rolls[roll]]}`;
    byId("field-words").textContent = text(state.title);
    byId("field-title").textContent = text(state.title) || "the field";
    const slider = byId("slider");
    slider.value = frame;
    slider.setAttribute("aria-valuetext", `event ${frame} of ${end}`);
    byId("number").value = frame;
  }

  // ---------------------------------------------------------------------------------------------------- moving

  let at = -1, playing = 0, place = 0, wereTouched = 1;

  function keepPlace() {  // browsers resent an address that changes often
    clearTimeout(place);
    place = setTimeout(() => history.replaceState(null, "", `#${at}`), 300);
  }

  function go(wanted) {
    const frame = Math.min(Math.max(Math.round(wanted) || 0, 0), end);
    if (frame === at) return;
    const state = stateAt(frame);
    const touched = new Set(film.marks[frame].map((change) => change[0]));
    at = frame;
    drawGround(state);
    const moved = drawMarks(state, touched);
    tell(frame, state);
    tellWhy(frame);
    if (moved || touched.size || wereTouched) tellPieces(state, touched);
    wereTouched = touched.size;
    tellStory(frame);
    if (!playing) keepPlace();
  }

  const turnOn = () => film.turns.find(([frame]) => frame > at);
  const turnBack = () => film.turns.filter(([frame]) => frame < at).pop();
  const moves = {
    first: () => go(0),
    last: () => go(end),
    back: () => go(at - 1),
    forward: () => go(at + 1),
    "turn-on": () => go((turnOn() || [end])[0]),
    "turn-back": () => go((turnBack() || [0])[0]),
    "roll-on": () => { const next = film.rolls.find((frame) => frame > at); if (next) go(next); },
    "roll-back": () => { const before = film.rolls.filter((frame) => frame < at).pop(); if (before) go(before); },
    play: () => (playing ? stop() : play()),
    faster: () => pace(1),
    slower: () => pace(-1),
  };

  function play() {
    if (at === end) go(0);
    byId("play").textContent = "■ stop";
    byId("caption").setAttribute("aria-live", "off");
    const on = () => {
      if (at >= end) { stop(); return; }
      go(at + 1);
      playing = setTimeout(on, 1000 / byId("speed").value);
    };
    playing = setTimeout(on, 1000 / byId("speed").value);
  }

  function stop() {
    clearTimeout(playing);
    playing = 0;
    byId("play").textContent = "▶ play";
    byId("caption").setAttribute("aria-live", "polite");
    keepPlace();
  }

  function pace(by) {
    const speed = byId("speed");
    speed.selectedIndex = Math.min(Math.max(speed.selectedIndex + by, 0), speed.length - 1);
  }

  const keys = {
    ArrowRight: "forward", ArrowLeft: "back", Home: "first", End: "last", " ": "play",
    t: "turn-on", T: "turn-back", r: "roll-on", R: "roll-back", "+": "faster", "-": "slower",
  };
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    if (event.ctrlKey || event.altKey || event.metaKey || !(event.key in keys)) return;
    if (target.matches("select, input[type=number]")) return;
    if (event.key === " " && target.matches("button, a")) return;
    event.preventDefault();
    moves[keys[event.key]]();
  });
  for (const id of ["first", "turn-back", "back", "play", "forward", "turn-on", "roll-on", "last"]) {
    byId(id).addEventListener("click", moves[id]);
  }
  byId("slider").addEventListener("input", (event) => go(event.target.valueAsNumber));
  byId("number").addEventListener("change", (event) => go(event.target.valueAsNumber));
  addEventListener("hashchange", () => go(Number(location.hash.slice(1))));
  if (!film.width) byId("field").style.display = "none";
  const begin = (film.turns[0] || [0])[0];  // the field is laid out when the first turn begins
  go(/^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : begin);
})();
