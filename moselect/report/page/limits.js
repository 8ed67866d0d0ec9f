// Limits: mistakes that may happen at most so often on new data, each a chip that can be cleared.

const sameMistake = (a, b) => limitKey(a) === limitKey(b);

// A limit as `moselect select --limit` and `limits=` read it, but for the share.
function limitKey({ truth, below, above, called }) {
  const name = (c) => data.classes[c];
  if (called !== undefined) return `${truth === undefined ? "" : `${name(truth)} `}called ${name(called)}`;
  return below !== undefined ? `${name(truth)}<${name(below)}` : `${name(truth)}>${name(above)}`;
}

function mistakeWords({ truth, below, above, called }) {
  const name = (c) => classNames[c];
  if (called !== undefined) return `of ${truth === undefined ? "all rows" : name(truth)} called ${name(called)}`;
  if (below !== undefined) return `of ${name(truth)}${truth < r - 1 ? " or above" : ""} called lower than ${name(below)}`;
  return `of ${name(truth)}${truth > 0 ? " or below" : ""} called higher than ${name(above)}`;
}

function makeLimits() {
  const [among, called] = [byId("limit-among"), byId("limit-called")];
  const option = (words, value) => element("option", words, { value });
  for (let c = r - 1; c > 0; c--) among.append(option(`class ${classNames[c]}${c < r - 1 ? " or above" : ""}`, `above ${c}`));
  for (let c = 0; c < r - 1; c++) among.append(option(`class ${classNames[c]}${c > 0 ? " or below" : ""}`, `below ${c}`));
  among.append(option("all rows", ""));
  const offer = () => {
    const [side, c] = [among.value.slice(0, 5), Number(among.value.slice(6))];
    const lower = classNames.map((name, to) => option(`lower than ${name}`, to)).slice(1, c + 1).reverse();
    const higher = classNames.map((name, to) => option(`higher than ${name}`, to)).slice(c, r - 1);
    called.replaceChildren(...(side === "above" ? lower : side === "below" ? higher : classNames.map(option)));
  };
  among.addEventListener("change", offer);
  offer();
  byId("limit-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const most = byId("limit-value").valueAsNumber / 100;
    byId("limit-error").hidden = most > 0 && most < 1;
    if (!byId("limit-error").hidden) return;
    const [side, truth, to] = [among.value.slice(0, 5), Number(among.value.slice(6)), Number(called.value)];
    const limit = { ...(side === "above" ? { truth, below: to } : side === "below" ? { truth, above: to } : { called: to }), most };
    change("limit", { limits: [...state.limits.filter((other) => !sameMistake(other, limit)), limit] });
    byId("limit-value").value = "";
  });
}

// Whether a limit holds on new data, and if not, by how much.
function heldWords({ share, error, met }) {
  const reach = data.reach * error;
  const [low, high] = [Math.max(0, share - reach), Math.min(1, share + reach)];
  return `${met ? "met" : "not met"}: ${percent(share)} % (${percent(low)} to ${percent(high)}) on new data`;
}

function showLimits(outcome) {
  byId("chips").replaceChildren(...state.limits.map((limit, l) => {
    const words = `at most ${short(100 * limit.most)} % ${mistakeWords(limit)}`;
    const clear = element("button", "×", { type: "button", "aria-label": `Clear: ${words}` });
    clear.addEventListener("click", () => {
      change("limit", { limits: state.limits.filter((other) => other !== limit) });
      (byId("chips").querySelector("button") ?? byId("limit-value")).focus();
    });
    const held = outcome.limits[l];
    return element("li", [element("span", words), element("span", heldWords(held), { class: held.met ? "muted" : "error" }), clear]);
  }));
}
