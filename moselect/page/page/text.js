// Elements and the words and numbers in them. Text of users only ever enters the page here, as text.

const byId = (id) => document.getElementById(id);
const on = (id, candidate, act) => byId(id).addEventListener(candidate, act);
// Handle clicks on the buttons in a part by their value.
const onButtons = (id, act) => on(id, "click", ({ target: { value } }) => { if (value) act(value); });
const say = (id, words) => { byId(id).textContent = words; };

// Contents are text or elements.
function element(tag, contents = [], attributes = {}, made = document.createElement(tag)) {
  made.append(...[contents].flat());
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

// A field that shows something, unless it is typed in, and changes the state.
const showFields = [];
function bind(field, shown, changed) {
  showFields.push(() => { if (field !== document.activeElement) field.value = shown(); });
  field.addEventListener("input", () => changed(field));
  return field;
}

// Long names lose their common prefix; the rest is wrapped.
const wordsOfNames = data.classes.map((name) => name.split(" "));
const common = wordsOfNames[0].findIndex((word, w) => wordsOfNames.some((words) => words[w] !== word));
const classNames = common > 0 && data.classes.some((name) => [...name].length > 20)
  ? wordsOfNames.map((words) => `… ${words.slice(common).join(" ")}`) : data.classes;

// A name, told in full by its tool tip.
const named = (words, title = words) => element("span", words, { class: "name", title });
const answerName = (c) => (c === r ? state.label : data.classes[c]);
const answerHead = (c) => named(classNames[c] ?? state.label, answerName(c));

// A table of heads and lines. The first cell of a line is its head, unless it is a cell already.
function fill(table, heads, lines) {
  const cellOf = (cell, tag, attributes = {}) => (cell instanceof HTMLTableCellElement ? cell : element(tag, cell, attributes));
  const body = lines.map(([first, ...others]) => element("tr", [cellOf(first, "th", { scope: "row" }), ...others.map((cell) => cellOf(cell, "td"))]));
  table.replaceChildren(element("thead", element("tr", heads.map((head) => cellOf(head, "th", { scope: "col" })))), element("tbody", body));
  return table;
}

// A table with true classes down and predictions across, with the reject option if in use. It
// is as wide as its box at most; where columns are narrower than words, their heads stand upright.
function tableOfClasses(id, makeCell, answers = r) {
  const longest = Math.max(...classNames.flatMap((name) => name.split(" ")).map((word) => word.length));
  const narrow = (byId(id).clientWidth || 290) < 9 * longest * (answers + 1.5);
  const table = element("table", [], { class: narrow ? "matrix narrow" : "matrix", style: `--answers: ${answers}` });
  const across = upTo(answers);
  const lines = upTo(r).map((y) => [answerHead(y), ...across.map((c) => makeCell(y, c))]);
  byId(id).replaceChildren(fill(table, ["true", ...across.map(answerHead)], lines));
}

const withMinus = (text) => text.replaceAll("-", "−");
// A number as it is typed in, with a minus sign of any kind before or behind it.
const numberOf = (text) => Number(text.trim().replaceAll("−", "-").replace(/^([^+-].*)-$/, "-$1"));
// Of rows with weights a count is a sum of these.
const grouped = (count) => withMinus(count.toLocaleString("en", { maximumFractionDigits: Math.abs(count) < 10 ? 1 : 0 }));
const signed = (value, words) => `${value > 0 ? "+" : ""}${words}`;
const capital = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;
const percent = (share) => withMinus(String(Math.round(100 * share) || 0));
const short = (value, digits = 3) => withMinus(String(Number(value.toPrecision(digits))));

// A word that explains itself when it is opened; without a meaning it is plain text.
const term = (words, meaning) => (meaning ? element("details", [element("summary", words), meaning], { class: "term" }) : words);
