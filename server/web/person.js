// Playing in the viewer's page. What may be played comes from the table, each play with the cards that it names: a card
// that one play alone names plays it, of several cards each narrows down what is left.
"use strict";
const FEW = 24;  // More plays than this are not buttons of their own: one chooses what to do and the cards.
let asked = null, chosen = [], kind = null, past = 0, waiting = [], pacing = null, drawing = null, ended = false, following = true;
let judging = null, judged = null, isJudged = false;  // The review of the game that is over: a stream while it is made.
let refused = "", reviewable = false, last = null;  // Why the last click came to nothing; what there is after a game.

const counted = (cards) => cards.reduce((many, card) => many.set(card, (many.get(card) ?? 0) + 1), new Map());
const within = (few, many) => [...counted(few)].every(([card, number]) => (counted(many).get(card) ?? 0) >= number);
const atEnd = () => now === moments.length - 1;
const kindOf = (words, cards) => words.split(" ").filter((word) => !cards.includes(word)).join(" ");
const left = () => asked.plays.map(([words, cards], at) => ({ words, cards, at, kind: kindOf(words, cards) }))
  .filter((play) => within(chosen, play.cards) && (kind === null || play.kind === kind));

// Send something to the table; what comes of it is shown like all that happens, but for why it was refused.
async function post(address, document) {
  const body = JSON.stringify(document);
  try {
    const answer = await fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body });
    refused = answer.ok ? "" : await answer.text();
  } catch {
    refused = "the table does not answer; its terminal may say why";
  }
  show();
}

function send(at) {
  const document = { ask: asked.number, play: at };
  [asked, chosen, kind] = [null, [], null];
  show();
  return post("play", document);
}

// Have the decisions of the game judged for as long as this page listens.
function judge() {
  judging = new EventSource("judging");
  judging.addEventListener("judged", (event) => {
    judged = JSON.parse(event.data);
    byId("judging")?.replaceWith(progress());  // what is beside it may be about to be clicked
  });
  judging.addEventListener("ready", () => { isJudged = true; stopJudging(); });
  judging.addEventListener("error", stopJudging);
  draw();
}

function stopJudging() {
  judging?.close();
  [judging, judged] = [null, null];
  draw();
}

// The finished game as a page, and on request what each play of it was worth.
function review() {
  const link = make("a", { id: "review", href: "review", target: "_blank" }, isJudged ? "review the game: what each play was worth" : "review the game");
  if (isJudged) return [link];
  if (!judging) return [link, named("judge", button("find where points were lost", judge))];
  return [link, progress(), named("stop", button("stop", stopJudging))];
}

function progress() {
  const { done, total, ms } = judged ?? { done: 0, total: 1, ms: 0 };
  const words = judged ? `${done} of ${total} decisions are judged, each for ${Math.round(ms)} ms` : "the decisions are judged";
  return make("label", { id: "judging" }, make("progress", { max: total, value: done }), ` ${words}`);
}

// What there is to do when a game is over: look at it with all hands open, play another deal, or leave.
function afterwards() {
  const parts = [];
  if (reviewable) parts.push(...review());
  if (waiting[0]?.[0] === "film") parts.push(named("deal", button("the next deal", () => { ended = false; next(); })));
  if (!last) return parts;
  const decide = (another) => { [last, ended] = [null, !another]; return post("another", { another }); };
  if (last.another) parts.push(named("another", button("another deal", () => decide(true))));
  return [...parts, named("leave", button("leave the table", () => decide(false)))];
}

function named(id, one) {
  one.id = id;
  return one;
}

const fits = (code) => asked && atEnd() && left().some((play) => within([...chosen, code], play.cards));

// What a click on a card does, if anything: it plays, is chosen with others, or is not chosen any more.
function act(code) {
  if (!fits(code) && !(asked && atEnd() && chosen.includes(code))) return null;
  return () => {
    if (fits(code)) {
      chosen.push(code);
      const plays = left();
      if (plays.length === 1 && plays[0].cards.length === 1) return send(plays[0].at);
    } else if (chosen.includes(code)) chosen.splice(chosen.indexOf(code), 1);
    show();
  };
}

function button(words, act) {
  const one = make("button", { type: "button" }, sentence(suits, words));
  one.addEventListener("click", act);
  return one;
}

// What is asked, and as buttons the plays for which no single card stands. Of many one chooses first what to do, then the
// cards; the button of the only play that is left has them all in it.
function offer() {
  const parts = [];
  if (asked && atEnd()) {
    const plays = left(), whole = plays.filter((play) => play.cards.length === chosen.length);
    const alone = (play) => play.cards.length === 1 && plays.filter((each) => within(play.cards, each.cards)).length === 1;
    const kinds = [...new Set(plays.map((play) => play.kind))];
    parts.push(make("b", {}, asked.question, chosen.length ? ` ${chosen.length} chosen.` : ""));
    if (plays.length === 1) parts.push(...(chosen.length || !alone(plays[0]) ? [button(plays[0].words, () => send(plays[0].at))] : []));
    else if (plays.length <= FEW) parts.push(...plays.filter((play) => chosen.length || !alone(play)).map((play) => button(play.words, () => send(play.at))));
    else {
      parts.push(...whole.slice(0, FEW).map((play) => button(play.words, () => send(play.at))));
      if (kinds.length > 1) parts.push(...kinds.map((each) => button(each, () => { kind = each; show(); })));
    }
    if (chosen.length || kind !== null) {
      parts.push(named("undo", button("undo", () => { [chosen, kind] = [[], null]; show(); })));
    }
  }
  if (ended) parts.push(...afterwards());
  if (refused) parts.unshift(make("p", { class: "refused", role: "alert" }, refused));
  byId("may").replaceChildren(...parts);
}

// Several moments that come at once are drawn once.
function draw() {
  drawing ??= setTimeout(() => { drawing = null; show(); }, 16);
}

playing = { act, offer, chosen: () => [...chosen] };

function take(what, data) {
  if (what === "film") {
    [asked, chosen, kind, ended, refused, reviewable, last, isJudged] = [null, [], null, false, "", false, null, false];
    stopJudging();
    const isFirst = film === undefined;
    load({ ...data, moments: [], shots: [] });
    if (isFirst) listen();
  } else if (what === "shot") {
    following = following && (moments.length === 0 || atEnd());
    moments.push(data.moment);
    film.shots.push([data.shot]);
    if (following) now = moments.length - 1;
  } else if (what === "ask") {
    [asked, chosen, kind, following, now, refused] = [data, [], null, true, moments.length - 1, ""];
  } else if (what === "end") ended = true;
  else if (what === "review") reviewable = true;
  else if (what === "last") last = data;
  else if (what === "over") {
    [reviewable, last] = [false, null];
    stopJudging();
  }
  if (what !== "film") draw();
}

// What has happened before the page came is shown at once, what comes later at a pace at which it can be seen, and a new deal when one is through with the last.
function next() {
  pacing = null;
  if (!waiting.length) return;
  const [what, data] = waiting[0];
  if (what === "film" && ended) return draw();
  waiting.shift();
  past -= 1;
  take(what, data);
  const wait = past <= 0 && what === "shot" && moments.length > 1 ? Number(byId("pace").value) : 0;
  if (wait) pacing = setTimeout(next, wait);
  else next();
}

function listening() {
  const events = new EventSource("events");
  for (const kind of ["film", "shot", "ask", "end", "review", "last", "over"]) {
    events.addEventListener(kind, (event) => {
      waiting.push([kind, JSON.parse(event.data)]);
      if (pacing === null) next();
    });
  }
  events.addEventListener("past", (event) => { past = Number(event.data); });
  events.addEventListener("over", () => events.close());
  events.addEventListener("error", () => byId("now").prepend(make("p", {}, "the table does not answer; its terminal may say why")));
}

byId("pace").addEventListener("change", () => { clearTimeout(pacing); next(); });
byId("eyes").parentElement.hidden = true;
listening();
