// The story of a game up to the moment that is shown, by trick or by turn, and the timeline below the table.
"use strict";
const SLOW = 3;  // A long think is this many times the median, and more than a tenth of a second.

// What has happened up to a moment: finished and unfinished tricks, each a row with a cell a seat, and what else was said.
function story() {
  const at = film.eyes.indexOf(eyes), entries = [];
  let last = null, group = null;
  for (let moment = 0; moment <= now; moment++) {
    const shot = film.shots[moment][at], lies = shot["place None trick"];
    const newTrick = lies?.[3].length && (last === null || last.winner !== null || lies[3].length < last.cards.length);
    if (newTrick) entries.push((last = { moment, cards: [], seats: [], winner: null, points: "", labels: {} }));
    if (lies?.[3].length) Object.assign(last, { moment, cards: lies[3], seats: lies[5], winner: lies[6] });
    const decision = playedAt(moment), label = decision && isLoss(decision) ? labelOf(decision) : "";
    if (label && last?.moment === moment) last.labels[decision.seat] = label;
    for (const each of shot.ranks ? shot.said.slice(0, 1) : shot.said ?? []) {
      const [seat, words] = each, takes = last && /^takes [^,]*(?:, (.*))?$/.exec(words);
      if (takes && last.moment === moment) [last.winner, last.points] = [seat, takes[1] ?? ""];
      else if (!(last && last.moment === moment && isCard(words))) {
        if (!group || group.seat !== seat || group.closed) entries.push((group = { moment, seat, words: [], closed: false, label: "" }));
        group.moment = moment;
        if (label && seat === decision.seat) group.label = worse(group.label, label);
        group.words.push(words);
      }
    }
    if (group && (moments[moment][0] > LEVEL.step || lies?.[3].length)) group.closed = true;
  }
  return entries;
}

// The same words said several times in a row are said once, with how often.
function together(words) {
  const runs = [];
  for (const each of words) {
    if (runs.at(-1)?.[0] === each) runs.at(-1)[1] += 1;
    else runs.push([each, 1]);
  }
  return runs.map(([each, times]) => (times > 1 ? `${each} \u00d7${times}` : each)).join(", ");
}

// What has happened so far, the latest first; never what is yet to come.
function tell() {
  const seats = order();
  const items = story().slice(-200).reverse().map((each, at) => {
    const link = make("a", { href: `#${each.moment},${eyes}`, class: at ? "" : "here" });
    if (each.cards) {
      const cells = seats.map((seat) => {
        const place = each.seats.indexOf(seat);
        return make("span", { class: `${seat === each.winner ? "won" : ""} ${each.labels[seat] ?? ""}`.trim() }, place < 0 ? "" : sentence(suits, each.cards[place]));
      });
      link.classList.add("cells");
      link.append(...cells, make("span", {}, each.points));
    } else {
      link.append(line([each.seat, together(each.words)]));
      if (each.label) link.classList.add(each.label);
    }
    return make("li", {}, link);
  });
  const log = byId("log");
  log.style.setProperty("--seats", seats.length);
  const heads = make("div", { class: "cells heads" }, ...seats.map((seat) => make("span", {}, film.players[seat])));
  log.querySelector(".heads")?.remove();
  if (film.together === "trick") log.prepend(heads);
  log.querySelector("ol").replaceChildren(...items);
}

// Tricks, hands, faults and long thinks along the whole game.
function mark() {
  const at = film.eyes.indexOf(eyes), seek = byId("seek"), end = moments.length - 1;
  if (Number(seek.max) === end && byId("marks").childElementCount) return;
  seek.max = end;
  const used = film.shots.map((shot) => shot[at].used).filter((seconds) => seconds !== undefined).sort((one, other) => one - other);
  const long = Math.max(0.1, SLOW * (used[used.length >> 1] ?? Infinity));
  byId("marks").replaceChildren(...moments.flatMap(([level], moment) => {
    const { fault, used: spent } = film.shots[moment][at];
    const kind = fault ? "fault" : spent > long ? "slow" : level === LEVEL.hand ? "hand" : level ? "together" : "";
    return kind ? [make("i", { class: kind, "data-at": moment / Math.max(end, 1) })] : [];
  }));
  for (const each of byId("marks").children) each.style.left = `${100 * each.dataset.at}%`;
}
