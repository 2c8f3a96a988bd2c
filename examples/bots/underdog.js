#!/usr/bin/env node
// Underdog: a Hearts bot in JavaScript that gives its highest cards away and stays under the trick.
//
//     node underdog.js

"use strict";

const RANKS = "23456789TJQKA";
const suit = (card) => card[0];
const rank = (card) => RANKS.indexOf(card[1]);
const highest = (cards) => cards.reduce((one, other) => (rank(other) > rank(one) ? other : one));
const lowest = (cards) => cards.reduce((one, other) => (rank(other) < rank(one) ? other : one));

/** Decide what to answer to a request. */
function decide(state) {
  return state.phase[0] === "give" ? give(state.hand) : ["play", choose(state)];
}

/** Give the three highest cards away. */
function give(hand) {
  return ["give", ...[...hand].sort((one, other) => rank(other) - rank(one)).slice(0, 3)];
}

/** Lead low; follow under the trick if possible; throw the queen of spades, then hearts, then what is high. */
function choose(state) {
  const cards = state.legal.map(([, card]) => card);
  const table = state.trick.slice(1); // (trick LEADER C ...)
  if (table.length === 0) return lowest(cards);
  const led = suit(table[0]);
  if (suit(cards[0]) !== led) return discard(cards);
  const toBeat = rank(highest(table.filter((card) => suit(card) === led)));
  const under = cards.filter((card) => rank(card) < toBeat);
  return under.length > 0 ? highest(under) : lowest(cards);
}

function discard(cards) {
  if (cards.includes("sQ")) return "sQ";
  const hearts = cards.filter((card) => suit(card) === "h");
  return highest(hearts.length > 0 ? hearts : cards);
}

/** Read an s-expression: a list becomes an array, everything else a string. */
function parse(text) {
  const stack = [[]];
  for (const token of text.match(/[()]|[^()\s]+/g)) {
    if (token === "(") {
      stack.push([]);
    } else if (token === ")") {
      const list = stack.pop();
      stack[stack.length - 1].push(list);
    } else {
      stack[stack.length - 1].push(token);
    }
  }
  return stack[0][0];
}

/** Make an object of STATE: each field is the array of what stands behind its key. */
function fields(state) {
  return Object.fromEntries(state.map(([key, ...values]) => [key, values]));
}

const lines = require("readline").createInterface({ input: process.stdin, terminal: false });
lines.on("line", (line) => {
  const [kind, state] = parse(line);
  if (kind === "request") process.stdout.write(`(${decide(fields(state)).join(" ")})\n`);
});
