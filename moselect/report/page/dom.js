// Elements and the words in them. Text of users only ever enters the page here, as text.

export function byId(id) {
  return document.getElementById(id);
}

export function element(tag, text, attributes = {}) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  return made;
}

export function shortName(name, longest) {
  const letters = [...name];
  if (letters.length <= longest) return name;
  const half = Math.floor(longest / 2);
  return `${letters.slice(0, half - 1).join("")}…${letters.slice(-half).join("")}`;
}

// Names that may be long: cut short in the middle, so that those that begin or end alike differ,
// and numbered where that does not help; told in full by the tool tip.
export function shortNames(names, longest = 22) {
  const cut = names.map((name) => shortName(name, longest));
  return cut.map((name, i) => (
    cut.filter((other) => other === name).length > 1 ? `${name} (${i + 1})` : name
  ));
}

export function named(tag, short, full, attributes = {}) {
  const made = element(tag, undefined, attributes);
  made.append(element("span", short, { class: "name", title: full }));
  return made;
}

export function heading(names) {
  const head = element("thead");
  const line = element("tr");
  for (const name of names) line.append(name instanceof Node ? name : element("th", name, { scope: "col" }));
  head.append(line);
  return head;
}

// Call `work` once after a burst of calls, at the next frame.
export function once(work) {
  let waiting = 0;
  return () => {
    if (!waiting) waiting = requestAnimationFrame(() => { waiting = 0; work(); });
  };
}
