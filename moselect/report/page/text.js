// Elements and the words and numbers in them. Text of users only ever enters the page here, as text.

function byId(id) {
  return document.getElementById(id);
}

function element(tag, text, attributes = {}) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

function shortName(name, longest) {
  const letters = [...name];
  if (letters.length <= longest) return name;
  const half = Math.floor(longest / 2);
  return `${letters.slice(0, half - 1).join("")}…${letters.slice(-half).join("")}`;
}

// Names cut short in the middle, and numbered where they would become the same.
function shortNames(names, longest = 22) {
  const cut = names.map((name) => shortName(name, longest));
  return cut.map((name, i) => (cut.filter((other) => other === name).length > 1 ? `${name} (${i + 1})` : name));
}

const classNames = shortNames(data.classes);

// A cell with a short name, told in full by its tool tip.
function named(tag, short, full, attributes = {}) {
  const made = element(tag, undefined, attributes);
  made.append(element("span", short, { class: "name", title: full }));
  return made;
}

function heading(names) {
  const line = element("tr");
  for (const name of names) line.append(name instanceof Node ? name : element("th", name, { scope: "col" }));
  const head = element("thead");
  head.append(line);
  return head;
}

// A table with true classes down and predicted ones across.
function tableOfClasses(table, makeCell) {
  table.style.setProperty("--classes", front.r);
  const body = element("tbody");
  data.classes.forEach((name, y) => {
    const line = element("tr");
    line.append(named("th", classNames[y], name, { scope: "row" }), ...data.classes.map((_, c) => makeCell(y, c)));
    body.append(line);
  });
  const across = data.classes.map((name, c) => named("th", classNames[c], name, { scope: "col" }));
  table.replaceChildren(heading(["true", ...across]), body);
  return table;
}

const withMinus = (text) => text.replaceAll("-", "−");

function short(value, digits = 4) {
  return withMinus(String(Number(value.toPrecision(digits))));
}

function grouped(count) {
  return withMinus(count.toLocaleString("en"));
}

function counted(count, what, several = `${what}s`) {
  return `${grouped(count)} ${count === 1 ? what : several}`;
}

const capital = (text) => `${text[0].toUpperCase()}${text.slice(1)}`;

// A difference of numbers as other functions write it.
function signed(value, text) {
  return value > 0 ? `+${text}` : text;
}

// The power of ten in which an objective is shown: VUS of 12 classes is a few millionths.
const powers = data.objectives.map(({ best }) => (best > 0 && best < 0.01 ? Math.floor(Math.log10(best)) : 0));
const UPPER = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };
const titles = data.objectives.map((each, j) => (
  powers[j] === 0 ? each.words : `${each.words} (10${[...String(powers[j])].map((c) => UPPER[c]).join("")})`
));

const inUnits = (j, value) => value / 10 ** powers[j];
const fromUnits = (j, value) => value * 10 ** powers[j];

function measured(j, value) {
  const scaled = inUnits(j, value);
  return scaled !== 0 && Math.abs(scaled) < 0.0005 ? short(scaled, 2) : withMinus(scaled.toFixed(4));
}

// A word that explains itself on hover, focus and touch; without a meaning it is plain text.
function term(text, meaning) {
  return meaning ? element("button", text, { type: "button", class: "term", "data-meaning": meaning }) : element("span", text);
}

function makeGlossary() {
  const tip = byId("tip");
  const show = (target) => {
    const meaning = target?.dataset?.meaning;
    tip.hidden = !meaning;
    if (!meaning) return;
    tip.textContent = meaning;
    const box = target.getBoundingClientRect();
    tip.style.left = `${Math.max(8, Math.min(box.left, innerWidth - tip.offsetWidth - 8))}px`;
    const below = box.bottom + 6;
    tip.style.top = `${below + tip.offsetHeight > innerHeight ? box.top - tip.offsetHeight - 6 : below}px`;
  };
  for (const kind of ["pointerover", "focusin", "click"]) {
    document.addEventListener(kind, ({ target }) => show(target instanceof Element ? target.closest("[data-meaning]") : null));
  }
  document.addEventListener("scroll", () => show(null), { passive: true, capture: true });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") show(null); });
  const entries = [...distinct.map((j) => [titles[j], data.objectives[j].meaning]), ...Object.entries(data.glossary)];
  for (const [word, meaning] of entries) {
    if (meaning) byId("glossary").append(element("dt", word), element("dd", meaning));
  }
}
