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

// Names that are cut short lose what they all begin with, then their middles.
function shortNames(names, longest = 20) {
  if (names.every((name) => [...name].length <= longest)) return names;
  const words = names[0].split(" ");
  const common = words.findIndex((_, w) => names.some((name) => name.split(" ")[w] !== words[w]));
  return names.map((name) => {
    const letters = [...(common > 0 ? `… ${name.split(" ").slice(common).join(" ")}` : name)];
    if (letters.length <= longest) return letters.join("");
    const half = Math.floor(longest / 2);
    return `${letters.slice(0, half - 1).join("")}…${letters.slice(-half).join("")}`;
  });
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

// A table with true classes down and predicted ones across.
function tableOfClasses(table, makeCell) {
  table.style.setProperty("--classes", r);
  return fill(table, ["true", ...data.classes.map((_, c) => classHead(c, "col"))], data.classes.map((_, y) => (
    { cells: [classHead(y, "row"), ...data.classes.map((__, c) => makeCell(y, c))] }
  )));
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
