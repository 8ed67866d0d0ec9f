// Limits: maximum cross-validated error rates, each a chip that can be cleared.

// An error by its name in `moselect select --limit`: ranges of true and predicted classes, boundary,
// description, and whether the form offers it.
const mistake = (name, [least, most], [low, high], boundary, rows, predicted, offered = true) => ({
  name, boundary, rows, predicted, offered, words: `of ${rows} predicted ${predicted}`,
  isAmong: (y) => y >= least && y <= most, isWrong: (c) => c >= low && c <= high,
});
const MISTAKES = new Map([
  ...upTo(r).slice(1).reverse().flatMap((y) => upTo(y).map((k) => y - k).map((c) => mistake(
    `${data.classes[y]}<${data.classes[c]}`, [y, r - 1], [0, c - 1], c, `${classNames[y]}${y < r - 1 ? " or above" : ""}`, `lower than ${classNames[c]}`,
  ))),
  ...upTo(r - 1).flatMap((y) => upTo(r - 1).slice(y).map((c) => mistake(
    `${data.classes[y]}>${data.classes[c]}`, [0, y], [c + 1, r - 1], c + 1, `${classNames[y]}${y > 0 ? " or below" : ""}`, `higher than ${classNames[c]}`,
  ))),
  ...upTo(r).map((c) => mistake(`predicted ${data.classes[c]}`, [0, r - 1], [c, c], Math.max(1, c), "all rows", classNames[c])),
  ...upTo(r * r).map((cell) => [Math.floor(cell / r), cell % r]).map(([y, c]) => (
    mistake(`${data.classes[y]} predicted ${data.classes[c]}`, [y, y], [c, c], Math.max(1, c), classNames[y], classNames[c], false)
  )),
].map((each) => [each.name, each]));
const missedAt = (c) => `${data.classes[c]}<${data.classes[c]}`;
const alarmsAt = (c) => `${data.classes[c - 1]}>${data.classes[c - 1]}`;

// Limits but one, and with it.
const withoutLimit = (name) => state.limits.filter((limit) => limit.name !== name);
const setLimit = (what, name, most) => change(what, { limits: [...withoutLimit(name), { name, most }] });

const among = byId("limit-among");
const predicted = byId("limit-predicted");
const offered = [...MISTAKES.values()].filter((each) => each.offered);
among.append(...[...new Set(offered.map(({ rows }) => rows))].map((rows) => element("option", rows === "all rows" ? rows : `class ${rows}`, { value: rows })));
const offerClasses = () => predicted.replaceChildren(...offered.filter(({ rows }) => rows === among.value).map((each) => element("option", each.predicted, { value: each.name })));
among.addEventListener("change", offerClasses);
on("limit-form", "submit", (event) => {
  event.preventDefault();
  const most = byId("limit-value").valueAsNumber / 100;
  byId("limit-error").hidden = most > 0 && most < 1;
  if (!byId("limit-error").hidden) return;
  setLimit("limit", predicted.value, most);
  byId("limit-value").value = "";
});
onButtons("chips", (name) => {
  change("limit", { limits: withoutLimit(name) });
  (byId("chips").querySelector("button") ?? byId("limit-value")).focus();
});

// Cross-validated rate of each limit, and whether it is met.
function showLimits(outcome) {
  byId("chips").replaceChildren(...outcome.limits.map(({ name, most, share, error, size, least, met }) => {
    const [low, high] = [-1, 1].map((side) => clamp(share + side * normalReach * error, 0, 1));
    const held = `${met ? "met" : "not met"}: ${percent(share)} % (${percent(low)} to ${percent(high)}), cross-validated${
      least > most ? `; ${short(size)} rows can show ${short(100 * least)} % at least` : ""}`;
    const words = `at most ${short(100 * most)} % ${MISTAKES.get(name).words}`;
    const clear = element("button", "×", { "aria-label": `Clear: ${words}`, value: name });
    return element("li", [element("div", [words, element("div", held, { class: met ? "muted" : "error" })]), clear]);
  }));
}
