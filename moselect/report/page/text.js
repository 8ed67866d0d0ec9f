// Elements and the words and numbers in them. Text of users only ever enters the page here, as text.

const byId = (id) => document.getElementById(id);
const on = (id, kind, act) => byId(id).addEventListener(kind, act);
const say = (id, words) => { byId(id).textContent = words; };

function completed(made, contents, attributes) {
  made.append(...[contents].flat());
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

// Contents are text or elements.
function element(tag, contents = [], attributes = {}) {
  return completed(document.createElement(tag), contents, attributes);
}

function button(words, act, attributes) {
  const made = element("button", words, { type: "button", ...attributes });
  made.addEventListener("click", act);
  return made;
}

// Set a field, unless it is typed in.
function put(field, value) {
  if (field !== document.activeElement) field.value = value;
}

// Long names lose what they all begin with; what is left is wrapped where it stands.
function shortNames(names, longest = 20) {
  if (names.every((name) => [...name].length <= longest)) return names;
  const words = names[0].split(" ");
  const common = words.findIndex((_, w) => names.some((name) => name.split(" ")[w] !== words[w]));
  return common > 0 ? names.map((name) => `… ${name.split(" ").slice(common).join(" ")}`) : names;
}

const classNames = shortNames(data.classes);

// A heading with a name, told in full by its tool tip.
const named = (words, title = words) => element("span", words, { class: "name", title });
const nameCell = (words, title, scope = "row") => element("th", named(words, title), { scope });
const classHead = (c, scope) => nameCell(classNames[c], data.classes[c], scope);

// A table of a head and lines, whose first cells are heads unless they are elements already.
function fill(table, names, lines) {
  const isCell = (cell) => cell instanceof HTMLTableCellElement;
  const headOf = (cell, scope) => (isCell(cell) ? cell : element("th", cell, { scope }));
  const body = lines.map(({ cells: [first, ...others], ...attributes }) => element("tr", [
    headOf(first, "row"), ...others.map((cell) => (isCell(cell) ? cell : element("td", cell))),
  ], attributes));
  const head = element("tr", names.map((name) => headOf(name, "col")));
  table.replaceChildren(element("thead", head), element("tbody", body));
  return table;
}

// A table with true classes down and answers across: classes, and perhaps rows left to a person. It
// is as wide as its box at most; where columns are narrower than words, their heads stand upright.
function tableOfClasses(id, makeCell, answers = r) {
  const longest = Math.max(...classNames.flatMap((name) => name.split(" ")).map((word) => word.length));
  const narrow = (byId(id).clientWidth || 290) < 9 * longest * (answers + 1.5);
  const across = upTo(answers);
  const heads = across.map((c) => (c === r ? nameCell(state.label, state.label, "col") : classHead(c, "col")));
  const lines = upTo(r).map((y) => ({ cells: [classHead(y, "row"), ...across.map((c) => makeCell(y, c))] }));
  const table = element("table", [], { class: narrow ? "matrix narrow" : "matrix", style: `--answers: ${answers}` });
  byId(id).replaceChildren(fill(table, ["true", ...heads], lines));
}

const withMinus = (text) => text.replaceAll("-", "−");
// Of rows with weights a count is a sum of these.
const grouped = (count) => withMinus(count.toLocaleString("en", { maximumFractionDigits: Math.abs(count) < 10 ? 1 : 0 }));
const signed = (value, words) => `${value > 0 ? "+" : ""}${words}`;
const capital = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;
const percent = (share) => withMinus(String(Math.round(100 * share) || 0));
const short = (value, digits = 3) => withMinus(String(Number(value.toPrecision(digits))));
const counted = (count, what) => `${grouped(count)} ${count === 1 ? what : `${what}s`}`;
const answerName = (c) => (c === r ? state.label : data.classes[c]);

// A word that explains itself when it is opened; without a meaning it is plain text.
function term(text, meaning) {
  return meaning ? element("details", [element("summary", text), meaning], { class: "term" }) : text;
}
