// The table of the models within the limits: sorted, a page at a time. Its rows stay while their
// texts change, so that the focus stays where it is.

import { data, front, objective } from "./data.js";
import { byId, element } from "./dom.js";
import { cost, grouped, measured, titles } from "./numbers.js";
import { change, distinct } from "./state.js";

const ROWS = 15;
const sort = { key: "cost", descending: false };
let firstRow = 0;
let found = null;

const columns = [
  { key: "model", words: "Model", value: (i) => data.indices[i], text: (i) => String(data.indices[i]) },
  { key: "cost", words: "Cost", value: (i) => found.modelCosts[i], text: (i) => cost(found.modelCosts[i]) },
  ...distinct.map((j) => ({
    key: data.objectives[j].key,
    words: titles[j],
    meaning: data.objectives[j].meaning,
    higherIsBetter: true,
    value: (i) => objective(i, j),
    text: (i) => measured(j, objective(i, j)),
  })),
];

const lines = [];

export function makeTable() {
  for (const column of columns) {
    const head = element("th", undefined, { scope: "col", "aria-sort": "none" });
    const button = element("button", column.words, { type: "button" });
    if (column.meaning) button.dataset.meaning = column.meaning;
    button.addEventListener("click", () => sortBy(column));
    head.append(button);
    byId("headings").append(head);
  }
  for (let position = 0; position < Math.min(ROWS, front.k); position++) lines.push(makeRow());
  byId("rows").append(...lines.map(({ line }) => line));
  byId("previous").addEventListener("click", () => turnTo(firstRow - ROWS));
  byId("next").addEventListener("click", () => turnTo(firstRow + ROWS));
}

function makeRow() {
  const line = element("tr");
  const button = element("button", "", { type: "button" });
  button.addEventListener("click", () => change("look", { look: Number(line.dataset.position) }));
  const cells = columns.map((column) => {
    const cell = element("td");
    if (column.key === "model") cell.append(button);
    line.append(cell);
    return cell;
  });
  return { line, button, cells };
}

function sortBy(column) {
  const again = sort.key === column.key;
  sort.descending = again ? !sort.descending : Boolean(column.higherIsBetter);
  sort.key = column.key;
  turnTo(0);
}

function turnTo(first) {
  firstRow = first;
  showTable(found);
}

export function showTable(results) {
  if (found !== null && results.within.length !== found.within.length) firstRow = 0;
  found = results;
  const by = columns.find((column) => column.key === sort.key);
  const sign = sort.descending ? -1 : 1;
  const order = [...found.within].sort((a, b) => sign * (by.value(a) - by.value(b)) || a - b);
  const last = Math.max(0, Math.ceil(order.length / ROWS) - 1) * ROWS;
  firstRow = Math.max(0, Math.min(firstRow, last));
  const visible = order.slice(firstRow, firstRow + ROWS);
  const chosen = found.chosenIndex;
  lines.forEach(({ line, button, cells }, position) => {
    const i = visible[position];
    line.hidden = i === undefined;
    if (line.hidden) return;
    line.dataset.position = i;
    line.dataset.model = data.indices[i];
    line.classList.toggle("is-chosen", i === chosen);
    button.setAttribute("aria-pressed", String(i === chosen));
    button.setAttribute("aria-label", `Look at model ${data.indices[i]}`);
    button.textContent = data.indices[i];
    columns.forEach((column, c) => { if (column.key !== "model") cells[c].textContent = column.text(i); });
  });
  [...byId("headings").children].forEach((head, position) => {
    const way = sort.descending ? "descending" : "ascending";
    head.setAttribute("aria-sort", columns[position] === by ? way : "none");
  });
  byId("previous").disabled = firstRow === 0;
  byId("next").disabled = firstRow >= last;
  byId("page-number").textContent = order.length === 0
    ? "no model is within the limits"
    : `${grouped(firstRow + 1)} to ${grouped(firstRow + visible.length)} of ${grouped(order.length)}`;
}
