// Limits: mistakes that may happen at most so often on new data, each a chip that can be cleared.

const sameMistake = (a, b) => limitKey(a) === limitKey(b);

// A limit as `moselect select --limit` and `limits=` read it, but for the share.
function limitKey({ truth, below, above, called }) {
  const name = (c) => data.classes[c] ?? "";
  if (called !== undefined) return `${name(truth)} called ${name(called)}`.trim();
  return below !== undefined ? `${name(truth)}<${name(below)}` : `${name(truth)}>${name(above)}`;
}

function rowsWords({ truth, below, above }) {
  if (truth === undefined) return "all rows";
  return `${classNames[truth]}${below !== undefined && truth < r - 1 ? " or above" : above !== undefined && truth > 0 ? " or below" : ""}`;
}

function calledWords({ below, above, called }) {
  if (called !== undefined) return classNames[called];
  return below !== undefined ? `lower than ${classNames[below]}` : `higher than ${classNames[above]}`;
}

const mistakeWords = (mistake) => `of ${rowsWords(mistake)} called ${calledWords(mistake)}`;
const withoutLimit = (mistake) => state.limits.filter((limit) => !sameMistake(limit, mistake));

function setLimit(what, mistake, most) {
  change(what, { limits: [...withoutLimit(mistake), { ...mistake, most }] });
}

function makeLimits() {
  const [among, called] = [byId("limit-among"), byId("limit-called")];
  const mistakes = [ // by the rows that they are among
    ...upTo(r).slice(1).reverse().map((truth) => upTo(truth).map((k) => ({ truth, below: truth - k }))),
    ...upTo(r - 1).map((truth) => upTo(r - 1).slice(truth).map((above) => ({ truth, above }))),
    upTo(r).map((c) => ({ called: c })),
  ];
  const options = (all, words) => all.map((one, value) => element("option", words(one), { value }));
  among.append(...options(mistakes, ([first]) => `${first.truth === undefined ? "" : "class "}${rowsWords(first)}`));
  const offer = () => called.replaceChildren(...options(mistakes[among.value], calledWords));
  among.addEventListener("change", offer);
  offer();
  on("limit-form", "submit", (event) => {
    event.preventDefault();
    const most = byId("limit-value").valueAsNumber / 100;
    byId("limit-error").hidden = most > 0 && most < 1;
    if (!byId("limit-error").hidden) return;
    setLimit("limit", mistakes[among.value][called.value], most);
    byId("limit-value").value = "";
  });
}

// Whether a limit holds on new data, and if not, by how much.
function heldWords({ share, error, met }) {
  const [low, high] = [-1, 1].map((side) => clamp(share + side * data.reach * error, 0, 1));
  return `${met ? "met" : "not met"}: ${percent(share)} % (${percent(low)} to ${percent(high)}) on new data`;
}

function showLimits(outcome) {
  byId("chips").replaceChildren(...state.limits.map((limit, l) => {
    const words = `at most ${short(100 * limit.most)} % ${mistakeWords(limit)}`;
    const clear = button("×", () => {
      change("limit", { limits: withoutLimit(limit) });
      (byId("chips").querySelector("button") ?? byId("limit-value")).focus();
    }, { "aria-label": `Clear: ${words}` });
    const held = outcome.limits[l];
    return element("li", [element("span", words), element("span", heldWords(held), { class: held.met ? "muted" : "error" }), clear]);
  }));
}
