// The table of the selected models: sorted, filtered, a page at a time.
"use strict";

const ROWS = 15;

const COLUMNS = [
  { key: "model", words: "Model", value: (i) => data.places[i], text: (i) => String(data.places[i]) },
  ...data.objectives.map((each, j) => ({
    key: `objective-${j}`,
    words: each.words,
    objective: j,
    higherIsBetter: true,
    value: (i) => objective(i, j),
    text: (i) => objective(i, j).toFixed(4),
  })),
  { key: "cost", words: "Cost", value: (i) => state.costs[i], text: (i) => short(state.costs[i]) },
];

function makeTable() {
  for (const column of COLUMNS) {
    const head = element("th", undefined, { scope: "col", "aria-sort": "none" });
    const button = element("button", column.words, { type: "button" });
    button.addEventListener("click", () => sortBy(column));
    head.append(button);
    byId("headings").append(head);
    const cell = element("td");
    if (column.objective !== undefined) cell.append(filterOf(column));
    byId("filters").append(cell);
  }
  byId("previous").addEventListener("click", () => turnTo(state.firstRow - ROWS));
  byId("next").addEventListener("click", () => turnTo(state.firstRow + ROWS));
}

function filterOf(column) {
  const j = column.objective;
  const input = element("input", undefined, {
    type: "number",
    step: "any",
    placeholder: "at least",
    "aria-label": `${column.words} at least`,
    "data-objective": j,
  });
  input.addEventListener("input", () => {
    const least = input.valueAsNumber;
    state.ranges[j] = Number.isNaN(least) ? null : [least, Infinity];
    showSelection({ filters: false });
  });
  return input;
}

function sortBy(column) {
  const again = state.sort.column === column.key;
  state.sort = {
    column: column.key,
    descending: again ? !state.sort.descending : Boolean(column.higherIsBetter),
  };
  turnTo(0);
}

function turnTo(first) {
  state.firstRow = first;
  showTable();
}

function showTable() {
  const by = COLUMNS.find((column) => column.key === state.sort.column);
  const sign = state.sort.descending ? -1 : 1;
  const order = [...state.selected].sort((a, b) => sign * (by.value(a) - by.value(b)) || a - b);
  const last = Math.max(0, Math.ceil(order.length / ROWS) - 1) * ROWS;
  state.firstRow = Math.max(0, Math.min(state.firstRow, last));
  const visible = order.slice(state.firstRow, state.firstRow + ROWS);
  byId("rows").replaceChildren(...visible.map(tableRow));
  [...byId("headings").children].forEach((head, position) => {
    const sorted = COLUMNS[position] === by;
    const way = state.sort.descending ? "descending" : "ascending";
    head.setAttribute("aria-sort", sorted ? way : "none");
  });
  byId("previous").disabled = state.firstRow === 0;
  byId("next").disabled = state.firstRow >= last;
  byId("page-number").textContent = order.length === 0
    ? "no model is selected"
    : `${grouped(state.firstRow + 1)} to ${grouped(state.firstRow + visible.length)} of ${grouped(order.length)}`;
}

function tableRow(i) {
  const line = element("tr", undefined, { "data-model": i });
  line.classList.toggle("is-chosen", i === chosen());
  for (const column of COLUMNS) {
    const cell = element("td");
    if (column.key === "model") {
      const button = element("button", column.text(i), {
        type: "button",
        "aria-label": `Look at model ${column.text(i)}`,
        "aria-pressed": String(i === chosen()),
      });
      button.addEventListener("click", () => pin(i));
      cell.append(button);
    } else {
      cell.textContent = column.text(i);
    }
    line.append(cell);
  }
  return line;
}

// Show ranges that were set on the lines as what they are at least.
function showFilters() {
  for (const input of byId("filters").querySelectorAll("input")) {
    const range = state.ranges[Number(input.dataset.objective)];
    input.value = range === null ? "" : short(range[0], 6);
  }
}
