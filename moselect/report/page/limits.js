// Limits: mistakes that may happen at most so often on new data, each a chip that can be cleared.

const sameMistake = (a, b) => a.truth === b.truth && a.below === b.below && a.called === b.called;

// A limit as `moselect select --limit` and `limits=` read it, but for the share.
const limitKey = ({ truth, below, called }) => (
  called === undefined ? `${data.classes[truth]}<${data.classes[below]}` : `called ${data.classes[called]}`
);

function mistakeWords({ truth, below, called }) {
  if (called !== undefined) return `of all rows called ${classNames[called]}`;
  return `of ${classNames[truth]}${truth < r - 1 ? " or above" : ""} called lower than ${classNames[below]}`;
}

function makeLimits() {
  const [among, called] = [byId("limit-among"), byId("limit-called")];
  const option = (words, value) => element("option", words, { value });
  for (let c = r - 1; c > 0; c--) among.append(option(`class ${classNames[c]}${c < r - 1 ? " or above" : ""}`, c));
  among.append(option("all rows", ""));
  const offer = () => {
    const below = Array.from({ length: Number(among.value) }, (_, c) => option(`lower than ${classNames[c + 1]}`, c + 1));
    called.replaceChildren(...(among.value === "" ? classNames.map(option) : below.reverse()));
  };
  among.addEventListener("change", offer);
  offer();
  byId("limit-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const most = byId("limit-value").valueAsNumber / 100;
    byId("limit-error").hidden = most > 0 && most < 1;
    if (!byId("limit-error").hidden) return;
    const to = Number(called.value);
    const limit = { ...(among.value === "" ? { called: to } : { truth: Number(among.value), below: to }), most };
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
