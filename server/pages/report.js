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
