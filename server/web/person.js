// Playing in the viewer's page. What may be played comes from the table, each play with the cards that it names: a card
// that one play alone names plays it, of several cards each narrows down what is left.
"use strict";
let asked = null, chosen = [], waiting = [], pacing = null, drawing = null, ended = false, following = true;

const counted = (cards) => cards.reduce((many, card) => many.set(card, (many.get(card) ?? 0) + 1), new Map());
const within = (few, many) => [...counted(few)].every(([card, number]) => (counted(many).get(card) ?? 0) >= number);
const atEnd = () => now === moments.length - 1;
const left = () => asked.plays.map(([words, cards], at) => ({ words, cards, at })).filter((play) => within(chosen, play.cards));

async function send(at) {
  const body = JSON.stringify({ ask: asked.number, play: at });
  [asked, chosen] = [null, []];
  show();
  const answer = await fetch("play", { method: "POST", headers: { "Content-Type": "application/json" }, body });
  if (!answer.ok) byId("now").replaceChildren(make("p", {}, await answer.text()));
}

const fits = (code) => asked && atEnd() && left().some((play) => within([...chosen, code], play.cards));

// What a click on a card does, if anything: it plays, is chosen with others, or is not chosen any more.
function act(code) {
  if (!fits(code) && !(asked && atEnd() && chosen.includes(code))) return null;
  return () => {
    if (fits(code)) {
      chosen.push(code);
      const plays = left();
      if (plays.length === 1 && plays[0].cards.length === chosen.length) return send(plays[0].at);
    } else if (chosen.includes(code)) chosen.splice(chosen.indexOf(code), 1);
    show();
  };
}

// The plays for which no single card stands, as buttons.
function offer() {
  const parts = [];
  if (asked && atEnd()) {
    const plays = left(), alone = (play) => play.cards.length === 1 && plays.filter((each) => within(play.cards, each.cards)).length === 1;
    const buttons = plays.filter((play) => chosen.length || !alone(play));
    parts.push(make("b", {}, chosen.length ? `your turn: ${chosen.length} chosen` : "your turn"));
    if (buttons.length > 64) parts.push(make("span", {}, `${plays.length} plays: choose their cards one by one`));
    else {
      for (const play of buttons) {
        const one = make("button", { type: "button" }, sentence(suits, play.words));
        one.addEventListener("click", () => send(play.at));
        parts.push(one);
      }
    }
    if (chosen.length) {
      const undo = make("button", { type: "button", id: "undo" }, "undo");
      undo.addEventListener("click", () => { chosen = []; show(); });
      parts.push(undo);
    }
  }
  if (ended && waiting[0]?.[0] === "film") {
    const deal = make("button", { type: "button", id: "deal" }, "the next deal");
    deal.addEventListener("click", () => { ended = false; next(); });
    parts.push(deal);
  }
  byId("may").replaceChildren(...parts);
}

// Several moments that come at once are drawn once.
function draw() {
  drawing ??= setTimeout(() => { drawing = null; show(); }, 16);
}

playing = { act, offer, chosen: () => [...chosen] };

function take(kind, data) {
  if (kind === "film") {
    [asked, chosen, ended] = [null, [], false];
    load({ ...data, moments: [], shots: [] });
  } else if (kind === "shot") {
    following = following && (moments.length === 0 || atEnd());
    moments.push(data.moment);
    film.shots.push([data.shot]);
    if (following) now = moments.length - 1;
  } else if (kind === "ask") {
    [asked, chosen, following, now] = [data, [], true, moments.length - 1];
  } else if (kind === "end") ended = true;
  if (kind !== "film") draw();
}

// What comes is shown at a pace at which it can be seen, and a new deal when one is through with the last.
function next() {
  pacing = null;
  if (!waiting.length) return;
  const [kind, data] = waiting[0];
  if (kind === "film" && ended) return draw();
  waiting.shift();
  take(kind, data);
  const wait = kind === "shot" && moments.length > 1 ? Number(byId("pace").value) : 0;
  if (wait) pacing = setTimeout(next, wait);
  else next();
}

function listening() {
  const events = new EventSource("events");
  for (const kind of ["film", "shot", "ask", "end"]) {
    events.addEventListener(kind, (event) => {
      waiting.push([kind, JSON.parse(event.data)]);
      if (pacing === null) next();
    });
  }
  events.addEventListener("over", () => events.close());
  events.addEventListener("error", () => byId("now").prepend(make("p", {}, "the table does not answer; its terminal may say why")));
}

byId("pace").addEventListener("change", () => { clearTimeout(pacing); next(); });
byId("eyes").parentElement.hidden = true;
listen();
listening();
