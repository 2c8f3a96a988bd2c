// Show a film: moments that our rules have worked out. What may be played, who wins and what is seen stands in it.
"use strict";
const byId = (id) => document.getElementById(id);
const LEVEL = { step: 0, together: 1, hand: 2 };
const AT_MOMENT = ["said", "fault", "note", "used", "ranks"];
const SMALLEST = 43;  // The pixels of a card below which nothing on it can be read: then the stage is scrolled.
const HALF = 5;  // A longer hand at the side of the table lies in two rows, so that each rank can be read.
const SEATS = { 1: ["bottom"], 2: ["bottom", "top"], 3: ["bottom", "left", "right"], 4: ["bottom", "left", "top", "right"] };
let film, moments, eyes, suits, now = 0, state = {}, reached = -1;
let playing = null;  // Where somebody plays in this page: what a click on a card does, and what there is to choose.

async function unpack(text) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let at = 0; at < raw.length; at++) bytes[at] = raw.charCodeAt(at);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}

// The table at a moment, as the chosen eyes see it.
function look(moment) {
  const at = film.eyes.indexOf(eyes);
  if (moment < reached) [state, reached] = [{}, -1];
  while (reached < moment) {
    for (const each of AT_MOMENT) delete state[each];
    Object.assign(state, film.shots[++reached][at]);
  }
  return state;
}

const order = () => {
  const first = Math.max(film.players.indexOf(eyes), 0);
  return film.players.map((_, seat) => (seat + first) % film.players.length);
};

function card(code) {
  if (code === "") return back();
  if (isCard(code)) return common(suits, code);
  return Object.hasOwn(film.faces, code) ? own(code, facing(film.faces[code])) : worded(code);
}
const facing = ([kind, cost, text]) => ({ kind, cost, text });

function slot(code, ...classes) {
  return make("span", { class: ["slot", ...classes].join(" ") }, card(code));
}

// A card that can be clicked, where somebody plays in this page; of several alike as many are chosen as were clicked.
function clickable(code, kind, chosen, ...inside) {
  const act = playing?.act(code);
  if (!act) return make("span", { class: kind }, ...inside);
  const at = chosen.indexOf(code);
  const one = make("button", { type: "button", class: at < 0 ? kind : `${kind} chosen`, "data-card": code }, ...inside);
  if (at >= 0) chosen.splice(at, 1);
  one.addEventListener("click", act);
  return one;
}

// The cards that may be played: of a hand those that are plays, of a row in RECYCLE those that the choices name first.
function playable(table, role) {
  const legal = Array.isArray(table.legal) && byId("legal").checked ? table.legal : [];
  const played = legal.filter((play) => play.startsWith("play ")).map((play) => play.slice(5));
  if (role === "hand") return new Set(played.flatMap((play) => [play, play.split(" ")[0]]));
  return new Set(legal.map((play) => play.split(/[ ,]+/).find(isCard)));
}

// One place with its cards, as its role wants it.
function place([name, owner, role, cards, hidden, counts], table, where) {
  const one = make("div", { class: `place ${role}` });
  if (role === "supply") {
    for (const [kind, stacks] of kinds(cards, counts)) one.append(make("div", {}, make("h3", {}, kind), make("div", { class: "cards" }, ...stacks)));
    return one;
  }
  const many = cards.length + hidden;
  if (name) one.append(make("h3", {}, role === "pile" ? `${name} ${many}` : name));
  const row = make("div", { class: "cards" });
  if (role === "pile") {
    if (many) row.append(slot(cards.length ? cards[cards.length - 1] : "", many > 1 ? "deep" : "only"));
    if (many > 1 && cards.length > 1) one.title = cards.join(", ");
  } else {
    const may = owner === table.turn ? playable(table, role) : new Set();
    const mine = owner === null || film.eyes.length === 1 && film.players[owner] === eyes;
    const chosen = mine ? playing?.chosen() ?? [] : [];
    if (role === "hand" && cards.some((code) => may.has(code))) row.classList.add("choosing");
    for (const code of cards) {
      const kind = `slot${may.has(code) ? " may" : ""} ${role === "hand" ? marked(code, owner) : ""}`.trim();
      row.append(mine ? clickable(code, kind, chosen, card(code)) : make("span", { class: kind }, card(code)));
    }
    for (let at = 0; at < Math.min(hidden, 20); at++) row.append(slot(""));
  }
  if (many || role !== "pile") one.append(row);
  if (["left", "right"].includes(where) && row.childElementCount > HALF) {
    one.append(make("div", { class: `${row.className} second` }, ...[...row.children].slice(Math.ceil(row.childElementCount / 2))));
  }
  return one;
}

// The stacks of a supply: treasures, victory cards, and the others.
function kinds(cards, counts) {
  const groups = new Map();
  cards.forEach((code, at) => {
    const kind = film.faces[code]?.[0], name = { treasure: "treasures", victory: "victory" }[kind] ?? "kingdom";
    const stack = clickable(code, counts[at] ? "stack" : "stack empty", [], card(code), make("em", {}, String(counts[at])));
    groups.set(name, [...(groups.get(name) ?? []), stack]);
  });
  return groups;
}

// The trick in the middle, each card before whoever played it.
function trick([, , , cards, , counts, winner], seats, where) {
  const one = make("div", { class: "trick" });
  cards.forEach((code, at) => {
    const seat = counts[at];
    const mine = slot(code, "by", where[seats.indexOf(seat)] ?? "", seat === winner ? "winner" : "", at === cards.length - 1 ? "last" : "");
    mine.append(make("small", {}, film.players[seat]));
    one.append(mine);
  });
  return one;
}

function tableNow(table) {
  const seats = order(), where = SEATS[seats.length] ?? seats.map((_, at) => (at ? "top" : "bottom"));
  const panels = seats.map((seat, at) => {
    const head = make("h2", {}, film.players[seat]);
    const beside = make("p", { class: "beside" }, ...table[`beside ${seat}`].map((words) => make("span", {}, sentence(suits, words))));
    for (const [name, owner, role, cards, hidden] of table.order.map((key) => table[key])) {
      if (owner !== seat) continue;
      if (role === "badge") beside.append(make("span", {}, `${name} `, sentence(suits, cards.join(" "))));
      else if (role !== "pile" && hidden > 5) beside.append(make("span", {}, `${hidden} cards`));
    }
    return make("div", { class: `seat ${where[at]}${table.turn === seat ? " turn" : ""}`, "data-seat": seat }, head, beside);
  });
  const aside = make("div", { class: "aside" });  // the table's piles, beside a trick
  const middle = make("div", { class: "middle" }, make("p", { class: "facts" }, ...table.facts.map((words) => make("span", {}, sentence(suits, words)))));
  const common = table.order.some((key) => table[key][2] === "trick") ? aside : middle;
  for (const key of table.order) {
    const each = table[key], owner = each[1], at = seats.indexOf(owner);
    if (each[2] === "badge") continue;
    if (each[2] === "trick") middle.append(trick(each, seats, where));
    else if (each[3].length + each[4] || each[2] === "pile") (owner === null ? common : panels[at]).append(place(each, table, where[at]));
  }
  const one = byId("table");
  one.className = `of${Math.min(seats.length, 5)}`;
  if (table.ranks) middle.prepend(scores(table.ranks, table.said));
  one.replaceChildren(...panels, aside, middle);
  fit(one);
}

// The stage keeps its height whatever lies on it: where that is too much, cards get smaller, and stay so in this window.
function fit(stage) {
  const isFull = () => stage.scrollHeight > stage.clientHeight || stage.scrollWidth > stage.clientWidth;
  let size = parseFloat(getComputedStyle(stage).getPropertyValue("--size"));
  while (size > SMALLEST && isFull()) stage.style.setProperty("--fit", `${(size = Math.max(size * 0.94, SMALLEST))}px`);
}

const line = ([seat, words]) => {
  const one = document.createDocumentFragment();
  if (seat !== null) one.append(make("b", {}, film.players[seat]), " ");
  one.append(sentence(suits, words));
  return one;
};

// The scores, best first.
function scores(ranks, said) {
  const rows = said.filter(([seat]) => seat !== null).sort(([one], [other]) => ranks[one] - ranks[other]);
  const marks = rows.map(([seat]) => (ranks[seat] > 1 ? "" : ranks.filter((rank) => rank === 1).length > 1 ? "shares the win" : "wins"));
  return make("table", { class: "scores" }, ...rows.map(([seat, points], at) => make("tr", { class: marks[at] ? "first" : "" },
    make("th", { scope: "row" }, film.players[seat]), make("td", {}, points), make("td", {}, marks[at]))));
}

function happened(table) {
  const parts = table.ranks
    ? [make("p", {}, line(table.said[0]))]
    : (table.said ?? []).map((each) => make("p", {}, line(each)));
  const decision = playedAt(now);
  if (decision) parts.push(verdict(decision));
  if (table.used !== undefined) parts.push(make("p", { class: "used" }, `thought ${(table.used * 1000).toLocaleString("en", { maximumFractionDigits: 1 })} ms`));
  if (table.note) parts.push(make("pre", { class: "note" }, table.note));
  if (table.fault) {
    const [kind, why, asked, received] = table.fault;
    const rows = Object.entries({ fault: kind, why, asked, answered: received || "nothing" });
    parts.push(make("dl", {}, ...rows.flatMap(([name, said]) => [make("dt", {}, name), make("dd", {}, make("code", {}, said))])));
  }
  if (!parts.length) parts.push(make("p", { class: "quiet" }, now ? "the next hand is dealt" : "the cards are dealt"));
  byId("now").replaceChildren(...parts);
}

function offered(table) {
  if (playing) return playing.offer();
  const decision = toDecide();
  if (decision) return byId("may").replaceChildren(...compared(decision));
  const legal = byId("legal").checked ? table.legal : null, parts = [];
  if (legal === 0) parts.push(make("p", {}, "more than 64 plays are legal"));
  else if (legal) {
    const others = legal.filter((play) => !play.startsWith("play ") || !isCard(play.slice(5)));
    parts.push(...others.map((play) => make("span", {}, sentence(suits, play))));
  }
  if (parts.length) parts.unshift(make("b", {}, `${film.players[table.turn]} may`));
  byId("may").replaceChildren(...parts);
}

function show() {
  const table = look(now);
  tableNow(table);
  happened(table);
  offered(table);
  tell();
  mark();
  curve();
  byId("seek").value = now;
  byId("where").textContent = `${now} of ${moments.length - 1}`;
  for (const id of ["back", "trick-back", "hand-back"]) byId(id).disabled = now === 0;
  for (const id of ["on", "trick-on", "hand-on"]) byId(id).disabled = now === moments.length - 1;
  if (!playing) history.replaceState(null, "", `#${now},${eyes}`);
}

function go(step, level) {
  let moment = now + step;
  while (moment > 0 && moment < moments.length - 1 && moments[moment][0] < level) moment += step;
  now = Math.min(Math.max(moment, 0), moments.length - 1);
  show();
}

// #17,alice is the seventeenth moment as alice saw it.
function follow() {
  const [moment, name] = location.hash.slice(1).split(",");
  if (/^\d{1,9}$/.test(moment)) now = Math.min(Number(moment), moments.length - 1);
  if (film.eyes.includes(name) && name !== eyes) [eyes, state, reached] = [name, {}, -1];
  byId("eyes").value = eyes;
  show();
}

const KEYS = {
  ArrowRight: [1, "step"], ArrowLeft: [-1, "step"], " ": [1, "step"], ArrowDown: [1, "together"], ArrowUp: [-1, "together"],
  PageDown: [1, "hand"], PageUp: [-1, "hand"], Home: [-Infinity, "step"], End: [Infinity, "step"],
};

function listen() {
  for (const [id, step, level] of [["back", -1, "step"], ["on", 1, "step"], ["trick-back", -1, "together"], ["trick-on", 1, "together"], ["hand-back", -1, "hand"], ["hand-on", 1, "hand"]]) {
    byId(id).addEventListener("click", () => go(step, LEVEL[level]));
  }
  document.addEventListener("keydown", (event) => {
    const busy = event.target.closest?.("select, input, a, button, summary") && [" ", "Enter"].includes(event.key);
    if (event.ctrlKey || event.altKey || event.metaKey || busy || event.target.closest?.("select") || !Object.hasOwn(KEYS, event.key)) return;
    event.preventDefault();
    const [step, level] = KEYS[event.key];
    go(step, LEVEL[level]);
  });
  let from = null;
  byId("table").addEventListener("touchstart", (event) => { from = event.touches.length === 1 ? event.touches[0] : null; }, { passive: true });
  byId("table").addEventListener("touchend", (event) => {
    const to = event.changedTouches[0];
    if (from && Math.abs(to.clientX - from.clientX) > 40 && Math.abs(to.clientY - from.clientY) < 60) go(to.clientX < from.clientX ? 1 : -1, 0);
  }, { passive: true });
  byId("eyes").addEventListener("change", (event) => { [eyes, state, reached] = [event.target.value, {}, -1]; show(); });
  byId("suits").addEventListener("change", (event) => { suits = event.target.value; show(); });
  byId("four").addEventListener("change", (event) => { document.body.classList.toggle("four", event.target.checked); });
  byId("legal").addEventListener("change", show);
  byId("seek").addEventListener("input", (event) => { now = Number(event.target.value); show(); });
  window.addEventListener("resize", () => { byId("table").style.removeProperty("--fit"); show(); });
  listenToReview();
  byId("light").addEventListener("change", (event) => { document.documentElement.dataset.light = event.target.value; });
  window.addEventListener("hashchange", follow);
}

function load(shown) {
  film = shown;
  moments = film.moments;
  [eyes] = film.eyes;
  [now, state, reached, shownCurve] = [0, {}, -1, ""];
  suits = byId("suits").value = film.suits;
  document.title = byId("title").textContent = film.title;
  byId("about").replaceChildren(...film.options.flatMap(([given, about]) => [make("dt", {}, make("code", {}, given)), make("dd", {}, about)]));
  const end = film.shots.at(-1)?.[0];
  byId("result").hidden = !end?.ranks;
  if (end?.ranks) byId("result").lastElementChild.replaceChildren(scores(end.ranks, end.said));
  byId("worths").hidden = !film.review;
  document.body.classList.toggle("reviewed", Boolean(film.review));
  byId("marks").replaceChildren();
  byId("table").style.removeProperty("--fit");
  byId("eyes").replaceChildren(...film.eyes.map((name) => make("option", { value: name }, name === "table" ? "everybody" : name)));
  byId("eyes").disabled = film.eyes.length === 1;
  byId("suits").parentElement.hidden = Object.keys(film.faces).length > 0;
  byId("four").parentElement.hidden = Object.keys(film.faces).length > 0;
  for (const [id, words] of [["trick-back", "back"], ["trick-on", "on"]]) byId(id).title = `one ${film.together} ${words} (${words === "on" ? "down" : "up"})`;
}

async function begin() {
  load(await unpack(byId("film").textContent));
  listen();
  follow();
}

if (byId("film")) begin();
