// What each play was worth, where a review has found that out: a curve below the buttons, the plays that were compared,
// and the better one beside the one that was made.
"use strict";
const LOSSES = ["inaccuracy", "mistake"];
const ROOM = 0.06;  // The share of the curve's height that is left free above and below.
let sight = "known", shownCurve = "";

const points = (number) => number.toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1, signDisplay: "exceptZero" }).replace("-", "\u2212");
const seen = () => (eyes === "table" ? sight : "known");  // What a seat did not know is not shown through its eyes.

// The decisions that may be shown, in order: of one seat its own.
function decisions() {
  return film.review?.decisions.filter((each) => eyes === "table" || film.players[each.seat] === eyes) ?? [];
}

// How good a play was, in a word. With open cards nothing is a mistake: nobody could see them.
function labelOf(decision) {
  if (seen() === "known" || decision.label === "forced") return decision.label;
  const [loss, error] = decision.open.loss;
  return loss > 2 * error && loss > 0 ? "missed" : "best";
}
const isLoss = (decision) => [...LOSSES, "missed"].includes(labelOf(decision));
const toDecide = () => decisions().find((each) => each.at === now);
const playedAt = (moment) => decisions().find((each) => each.at + 1 === moment);
const inWords = (decision, at) => sentence(suits, decision.plays[at].replace(/^play /, ""));

// How good the play was that led to a moment, and which one was better.
function verdict(decision) {
  const label = labelOf(decision), [loss, error] = decision[seen()].loss;
  const one = make("p", { class: `verdict ${label}` }, make("b", {}, label));
  if (isLoss(decision)) {
    const how = label === "missed" ? " with all cards open" : "";
    one.append(`: ${points(-loss)} \u00b1 ${(2 * error).toFixed(1)} points${how}, better was `, inWords(decision, decision[seen()].best));
  }
  return one;
}

// The plays that were compared, the one worth most first, each with its bar.
function compared(decision) {
  const { worths, best } = decision[seen()], label = labelOf(decision);
  const least = Math.min(...worths.map(([mean]) => mean)), most = Math.max(...worths.map(([mean]) => mean));
  const rows = worths.map(([mean, error], at) => ({ mean, error, at })).sort((one, other) => other.mean - one.mean);
  const items = rows.map(({ mean, error, at }) => {
    const marks = [at === 0 ? "played" : "", at === best && isLoss(decision) ? "better" : ""].filter(Boolean);
    const one = make("li", { class: at === 0 ? label : at === best ? "best" : "" });
    const bar = make("i", { "aria-hidden": "true" });
    bar.style.width = `${most > least ? 100 * (mean - least) / (most - least) : 100}%`;
    one.append(make("span", { class: "play" }, inWords(decision, at)), make("span", { class: "bar" }, bar),
      make("span", { class: "points" }, `${points(mean)} \u00b1 ${(2 * error).toFixed(1)}`), make("em", {}, marks.join(", ")));
    return one;
  });
  return [make("b", {}, `${film.players[decision.seat]}'s plays, and what each was worth`), make("ol", { class: "compared" }, ...items)];
}

// The card that was played at a decision and a better one, for the hand in which they lie.
function marked(code, owner) {
  const decision = toDecide();
  if (!decision || owner !== decision.seat || decision.plays.length === 1) return "";
  const has = (play) => play.split(/[ ,]+/).includes(code);
  if (has(decision.plays[0])) return isLoss(decision) ? `made ${labelOf(decision)}` : "made best";
  return isLoss(decision) && has(decision.plays[decision[seen()].best]) ? "made best" : "";
}

const across = (moment) => 100 * moment / Math.max(moments.length - 1, 1);

// Each player's worth at its decisions along the game; a loss is drawn from the better play down to the one that was made.
function curve() {
  const found = decisions(), area = byId("curve"), key = `${eyes} ${seen()}`;
  if (!film.review) return;
  for (const [id, step] of [["loss-back", -1], ["loss-on", 1]]) byId(id).disabled = nextLoss(step) === undefined;
  if (key !== shownCurve) {
    shownCurve = key;
    const worth = (decision, at = 0) => decision[seen()].worths[at][0];
    const thought = found.filter((each) => each.plays.length > 1);
    const values = thought.flatMap((each) => [worth(each), worth(each, each[seen()].best)]);
    const low = Math.min(...values, 0), span = Math.max(...values, 0) - low || 1;
    const down = (value) => 100 * (1 - ROOM - (1 - 2 * ROOM) * (value - low) / span);
    const lines = film.players.map((_, seat) => thought.filter((each) => each.seat === seat)
      .map((each) => `${across(each.at).toFixed(2)},${down(worth(each)).toFixed(2)}`));
    const drawing = drawn("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", "aria-hidden": "true" },
      drawn("path", { d: `M0 ${down(0)}H100`, class: "zero" }), ...lines.map((each, seat) => drawn("polyline", { points: each.join(" "), class: `of s${seat % 6}` })));
    const drops = thought.filter(isLoss).map((each) => {
      const [loss] = each[seen()].loss, name = film.players[each.seat];
      const about = `${name} at ${each.at}: ${labelOf(each)}, ${points(-loss)} points`;
      const one = make("a", { href: `#${each.at},${eyes}`, class: labelOf(each), title: about, "aria-label": about });
      const [top, end] = [worth(each, each[seen()].best), worth(each)].map(down).sort((one, other) => one - other);
      Object.assign(one.style, { left: `${across(each.at)}%`, top: `${top}%`, height: `${end - top}%` });
      return one;
    });
    area.replaceChildren(drawing, ...drops, make("i", { class: "here" }));
    const keys = film.players.flatMap((name, seat) => (lines[seat].length ? [make("span", { class: `key s${seat % 6}` }, name)] : []));
    byId("keys").replaceChildren(...keys, make("small", {}, film.review.budget));
    byId("sight").parentElement.hidden = eyes !== "table" || !found.some((each) => each.open);
  }
  area.querySelector(".here").style.left = `${across(now)}%`;
}

// The next moment, forwards or backwards, at which somebody lost points.
function nextLoss(step) {
  const found = decisions().filter((each) => isLoss(each) && step * (each.at - now) > 0);
  return (step > 0 ? found[0] : found.at(-1))?.at;
}

// Colors of the log: the worst label of the plays that were made from one moment to another.
function worse(one, other) {
  const order = ["missed", ...LOSSES];
  return order.indexOf(other) > order.indexOf(one) ? other : one;
}

function listenToReview() {
  const jump = (moment) => { now = moment; show(); };
  byId("curve").addEventListener("click", (event) => {
    if (event.target.closest("a")) return;
    const box = byId("curve").getBoundingClientRect();
    jump(Math.min(Math.max(Math.round((moments.length - 1) * (event.clientX - box.left) / box.width), 0), moments.length - 1));
  });
  byId("sight").addEventListener("change", (event) => { sight = event.target.value; show(); });
  for (const [id, step] of [["loss-back", -1], ["loss-on", 1]]) {
    byId(id).addEventListener("click", () => jump(nextLoss(step)));
  }
}
