// Elements and the words and numbers in them. Text of users only ever enters the page here, as text.

function byId(id) {
  return document.getElementById(id);
}

// Contents are text or elements; what is null or undefined is left out.
function element(tag, contents, attributes = {}) {
  const made = document.createElement(tag);
  made.append(...[contents].flat().filter((part) => part !== undefined && part !== null));
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

// Long names lose what they all begin with; what is left is wrapped where it stands.
function shortNames(names, longest = 20) {
  if (names.every((name) => [...name].length <= longest)) return names;
  const words = names[0].split(" ");
  const common = words.findIndex((_, w) => names.some((name) => name.split(" ")[w] !== words[w]));
  return common > 0 ? names.map((name) => `… ${name.split(" ").slice(common).join(" ")}`) : names;
}

const classNames = shortNames(data.classes);

// A heading of a class, told in full by its tool tip.
function classHead(c, scope) {
  return element("th", element("span", classNames[c], { class: "name", title: data.classes[c] }), { scope });
}

// A table of a head and lines, whose first cells are heads unless they are elements already.
function fill(table, names, lines) {
  const headOf = (cell, scope) => (cell instanceof Node ? cell : element("th", cell, { scope }));
  const body = lines.map(({ cells: [first, ...others], ...attributes }) => element("tr", [
    headOf(first, "row"), ...others.map((cell) => (cell instanceof HTMLTableCellElement ? cell : element("td", cell))),
  ], attributes));
  table.replaceChildren(
    element("thead", element("tr", names.map((name) => headOf(name, "col")))), element("tbody", body),
  );
  return table;
}

// A table with true classes down and answers across: classes, and perhaps rows left to a person. It
// is as wide as its box at most; where columns are narrower than words, their heads stand upright.
function tableOfClasses(id, makeCell, answers = r) {
  const longest = Math.max(...classNames.flatMap((name) => name.split(" ")).map((word) => word.length));
  const narrow = (byId(id).clientWidth || 290) < 9 * longest * (answers + 1.5);
  const across = Array.from({ length: answers }, (_, c) => c);
  const heads = across.map((c) => (c === r ? element("th", element("span", state.label, { class: "name" }), { scope: "col" }) : classHead(c, "col")));
  const table = element("table", undefined, { class: narrow ? "matrix narrow" : "matrix", style: `--answers: ${answers}` });
  byId(id).replaceChildren(fill(table, ["true", ...heads], data.classes.map((_, y) => ({ cells: [classHead(y, "row"), ...across.map((c) => makeCell(y, c))] }))));
}

const withMinus = (text) => text.replaceAll("-", "−");
// Of rows with weights a count is a sum of these.
const grouped = (count) => withMinus(count.toLocaleString("en", { maximumFractionDigits: Math.abs(count) < 10 ? 1 : 0 }));
const capital = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;
const percent = (share) => withMinus(String(Math.round(100 * share) || 0));

function short(value, digits = 3) {
  return withMinus(String(Number(value.toPrecision(digits))));
}

function counted(count, what, several = `${what}s`) {
  return `${grouped(count)} ${count === 1 ? what : several}`;
}

// A word that explains itself when it is opened; without a meaning it is plain text.
function term(text, meaning) {
  return meaning ? element("details", [element("summary", text), meaning], { class: "term" }) : element("span", text);
}
