// The table of the models within the limits: sorted, a page at a time.

const ROWS = 15;
const sort = { key: "cost", descending: false };
let firstRow = 0;
let listed = null; // what follows from the state

const tableColumns = [
  { key: "model", words: "Model", value: (i) => data.indices[i] },
  { key: "cost", words: "Cost", value: (i) => listed.modelCosts[i], text: (i) => listed.modelCosts[i].toPrecision(4) },
  ...distinct.map((j) => ({
    key: data.objectives[j].key,
    words: titles[j],
    meaning: data.objectives[j].meaning,
    value: (i) => objective(i, j),
    text: (i) => measured(j, objective(i, j)),
  })),
];

function makeTable() {
  for (const { key, words, meaning } of tableColumns) {
    const head = element("th", undefined, { scope: "col" });
    const button = element("button", words, { type: "button", ...(meaning ? { "data-meaning": meaning } : {}) });
    button.addEventListener("click", () => {
      sort.descending = sort.key === key ? !sort.descending : Boolean(meaning); // of measures the best first
      sort.key = key;
      turnTo(0);
    });
    head.append(button);
    byId("headings").append(head);
  }
  byId("previous").addEventListener("click", () => turnTo(firstRow - ROWS));
  byId("next").addEventListener("click", () => turnTo(firstRow + ROWS));
}

function turnTo(first) {
  firstRow = first;
  showTable(listed);
}

function showTable(found) {
  if (listed !== null && found.within.length !== listed.within.length) firstRow = 0;
  listed = found;
  const by = tableColumns.find(({ key }) => key === sort.key);
  const sign = sort.descending ? -1 : 1;
  const order = [...found.within].sort((a, b) => sign * (by.value(a) - by.value(b)) || a - b);
  const last = Math.max(0, Math.ceil(order.length / ROWS) - 1) * ROWS;
  firstRow = Math.max(0, Math.min(firstRow, last));
  const visible = order.slice(firstRow, firstRow + ROWS);
  const focused = document.activeElement.closest("#rows tr")?.dataset.model;
  byId("rows").replaceChildren(...visible.map((i) => {
    const line = element("tr", undefined, { "data-model": data.indices[i], class: i === found.chosenIndex ? "is-chosen" : "" });
    const button = element("button", data.indices[i], {
      type: "button", "aria-pressed": i === found.chosenIndex, "aria-label": `Look at model ${data.indices[i]}`,
    });
    button.addEventListener("click", () => change("look", { look: i }));
    const first = element("td");
    first.append(button);
    line.append(first, ...tableColumns.slice(1).map(({ text }) => element("td", text(i))));
    return line;
  }));
  if (focused) byId("rows").querySelector(`[data-model="${focused}"] button`)?.focus();
  [...byId("headings").children].forEach((head, position) => {
    head.setAttribute("aria-sort", tableColumns[position] !== by ? "none" : sort.descending ? "descending" : "ascending");
  });
  byId("previous").disabled = firstRow === 0;
  byId("next").disabled = firstRow >= last;
  byId("page-number").textContent = order.length === 0 ? "no model is within the limits"
    : `${grouped(firstRow + 1)} to ${grouped(firstRow + visible.length)} of ${grouped(order.length)}`;
}
