// Cards, drawn for this page: suits, faces and backs are our own and, like all of it, free to use under the MIT licence.
"use strict";
const SVG = "http://www.w3.org/2000/svg";
const SHAPES = {
  french: {
    c: "M12 1a5.200 5.200 0 0 1 4.300 8.100A5.200 5.200 0 1 1 13 16.500c0 2.700 1 4.700 2.600 6.500H8.400C10 21.200 11 19.200 11 16.500a5.200 5.200 0 1 1-3.300-7.400A5.200 5.200 0 0 1 12 1Z",
    d: "M12 .8L20.500 12L12 23.200L3.500 12Z",
    h: "M12 22C5 15.800 1.500 12 1.500 7.600C1.500 2.500 8.600.2 12 5.600C15.400.2 22.500 2.500 22.500 7.600C22.500 12 19 15.800 12 22Z",
    s: "M12 1C16 7 22 10 22 15a4.900 4.900 0 0 1-9 2.700c.1 2.300 1 4 2.600 5.300H8.400c1.600-1.300 2.500-3 2.600-5.300A4.900 4.900 0 0 1 2 15C2 10 8 7 12 1Z",
  },
  german: {
    c: "M11 .5h2v3c4 .3 7 2.600 7 6H4c0-3.400 3-5.700 7-6ZM5.500 11h13c0 6.500-3 9.500-6.500 12.500C8.500 20.500 5.500 17.500 5.500 11Z",
    d: "M12 2a10 10 0 1 0 .01 0ZM4.500 10.500h15v2h-6.200v7.500h-2.600v-7.500H4.500Z",
    h: "M12 22C5 15.800 1.500 12 1.500 7.600C1.500 2.500 8.600.2 12 5.600C15.400.2 22.500 2.500 22.500 7.600C22.500 12 19 15.800 12 22Z",
    s: "M12 .5c6 4.500 9.500 9 7.500 14c-1.200 3-4.200 4-6.500 3.200V23.500h-2v-5.800C8.700 18.500 5.700 17.500 4.500 14.500C2.500 9.500 6 5 12 .5Z",
  },
};
const RANKS = { french: { T: "10" }, german: { T: "10", J: "U", Q: "O" } };
const SUIT_NAMES = {
  french: { c: "clubs", d: "diamonds", h: "hearts", s: "spades" },
  german: { c: "acorns", d: "bells", h: "hearts", s: "leaves" },
};
const isCard = (code) => /^[cdhs][2-9TJQKA]$/.test(code);

function make(name, attributes = {}, ...children) {
  const one = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  one.append(...children);
  return one;
}

function drawn(name, attributes = {}, ...children) {
  const one = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  one.append(...children);
  return one;
}

const shape = (suits, suit, transform) =>
  drawn("path", { d: SHAPES[suits][suit], transform, "fill-rule": "evenodd", class: "ink" });
const rankOf = (suits, code) => RANKS[suits][code[1]] ?? code[1];
const cardName = (suits, code) => `${rankOf(suits, code)} of ${SUIT_NAMES[suits][code[0]]}`;

// A common card, 50 by 70: rank and suit in two corners, the same both ways up, and one large suit.
function common(suits, code) {
  const rank = rankOf(suits, code);
  const corner = (turn) => {
    const index = drawn("text", { x: 8.5, y: 14.5, class: rank.length > 1 ? "index narrow ink" : "index ink" }, rank);
    return drawn("g", turn ? { transform: "rotate(180 25 35)" } : {}, index, shape(suits, code[0], "translate(3.700 17.500) scale(.4)"));
  };
  const one = drawn("svg", { viewBox: "0 0 50 70", class: `face ${suits} ${code[0]}`, role: "img" });
  one.append(
    drawn("title", {}, cardName(suits, code)),
    drawn("rect", { x: 0.5, y: 0.5, width: 49, height: 69, rx: 5, class: "paper" }),
    corner(false), corner(true), shape(suits, code[0], "translate(12.400 22.400) scale(1.050)"),
  );
  return one;
}

function back() {
  return drawn("svg", { viewBox: "0 0 50 70", class: "face back", role: "img" },
    drawn("title", {}, "a card face down"),
    drawn("rect", { x: 0.5, y: 0.5, width: 49, height: 69, rx: 5, class: "paper" }),
    drawn("rect", { x: 4.5, y: 4.5, width: 41, height: 61, rx: 3, class: "pattern" }),
    drawn("path", { d: "M25 14L37 35L25 56L13 35Z", class: "motif" }));
}

// A card of a game's own: a name, what it costs and what it does.
function own(name, face) {
  const one = make("div", { class: `face own ${face.kind}${name.length > 7 ? " long" : ""}`, title: `${name}: ${face.text}` },
    make("b", {}, name), make("span", {}, face.text));
  if (face.cost !== null) one.append(make("i", { title: "its cost" }, String(face.cost)));
  return one;
}

// A word as people write it: a program has its numbers and its other words in capitals.
const FIGURES = Object.fromEntries("ZERO ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN".split(" ").map((word, number) => [word, String(number)]));
const readable = (word) => FIGURES[word] ?? (/^[A-Z]{2,}$/.test(word) ? word.toLowerCase() : word);

// Any other card: what is written on it.
function worded(words) {
  const parts = words.split(" ").map(readable), longest = Math.max(...parts.map((word) => word.length));
  const size = longest > 8 ? "longest" : longest > 5 ? "long" : parts.length > 1 || longest > 2 ? "short" : "shortest";
  return make("div", { class: `face worded ${size}`, title: parts.join(" ") }, ...parts.map((word) => make("span", {}, word)));
}

// A sentence in which each card is drawn as its rank and suit.
function sentence(suits, words) {
  const said = document.createDocumentFragment();
  for (const word of words.split(/([ ,:]+)/)) {
    if (!isCard(word)) said.append(film.players.includes(word) ? word : readable(word));
    else {
      const pip = drawn("svg", { viewBox: "0 0 24 24", class: "pip", "aria-hidden": "true" }, shape(suits, word[0], ""));
      said.append(make("span", { class: `small ${suits} ${word[0]}`, title: cardName(suits, word) }, rankOf(suits, word), pip));
    }
  }
  return said;
}
