// The tournament as it stands: told by server-sent events that there is something new, it fetches that and shows it.
"use strict";
const now = document.getElementById("now"), line = document.getElementById("line");

const say = (words, lost) => {
  line.textContent = words;
  line.classList.toggle("lost", lost);
};

const show = async () => {
  const answer = await fetch("now");
  if (!answer.ok) throw new Error(answer.statusText);
  const held = document.activeElement?.getAttribute("href");
  now.innerHTML = await answer.text();
  if (held) [...now.querySelectorAll("a")].find((link) => link.getAttribute("href") === held)?.focus();
};

let last = now.querySelector("main").dataset.number;
const news = new EventSource("events");
news.onmessage = async (event) => {
  try {
    if (event.data !== last) await show();
    last = event.data;
    say("", false);
  } catch {
    say("what is new could not be fetched", true);
  }
};
news.onerror = () => say("croupier watch does not answer; this is how it stood", true);
