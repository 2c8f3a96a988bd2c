"use strict";
// Sort a table by the column whose head is clicked: numbers by size, words by the alphabet, what is missing last.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0];
  const valueOf = (row, place) => {
    const cell = row.cells[place];
    const said = cell.querySelector("[data-sort]")?.dataset.sort ?? cell.textContent.trim();
    const value = parseFloat(said.replace("\u2212", "-").replaceAll(",", ""));
    return said === "" || said === "\u2013" ? null : Number.isNaN(value) ? said : value;
  };
  const compare = (one, other) =>
    typeof one === "number" && typeof other === "number" ? one - other : String(one).localeCompare(String(other));
  for (const head of table.tHead.rows[0].cells) {
    if (!head.textContent.trim() || head.querySelector("svg")) continue;
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      for (const each of table.tHead.rows[0].cells) each.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      const rows = [...body.rows].map((row) => [valueOf(row, head.cellIndex), row]);
      rows.sort(([one], [other]) =>
        one === null || other === null ? (one === null) - (other === null) : compare(one, other) * (up ? 1 : -1));
      body.append(...rows.map(([, row]) => row));
    });
  }
}

// Show only what is about the players whose names hold what was typed: rows of tables, histograms, faults.
const search = document.querySelector("nav input");
if (search) {
  const found = document.querySelector("nav output");
  const nameOf = (one) => one.querySelector("th, figcaption, h3").textContent.toLowerCase();
  search.parentElement.hidden = false;
  search.addEventListener("input", () => {
    const wanted = search.value.trim().toLowerCase();
    for (const one of document.querySelectorAll("main tbody tr, main figure, .exchanges"))
      one.hidden = !nameOf(one).includes(wanted);
    const rows = [...document.querySelectorAll(".standings tbody tr")];
    found.value = wanted ? `${rows.filter((row) => !row.hidden).length} of ${rows.length}` : "";
  });
}

// Say in full which two players a cell of the cross table is about, and by how much they differ.
const cross = document.querySelector(".cross"), pair = document.querySelector(".pair");
for (const how of cross && pair ? ["pointerover", "click"] : [])
  cross.addEventListener(how, ({ target }) => {
    const cell = target.closest("td[title]"), names = cross.tBodies[0].rows;
    const name = (row) => row.cells[0].lastChild.textContent;
    if (cell) pair.textContent = `${name(cell.parentElement)} against ${name(names[cell.cellIndex - 1])}: ${cell.title}`;
  });
