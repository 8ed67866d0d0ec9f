// Limits: conditions that the choice has to meet, each shown as a chip that can be cleared.

const OTHERS = { other: "any other class", lower: "a lower class", higher: "a higher class" };

const sameThing = (a, b) => a.key === b.key && a.y === b.y && a.to === b.to;

// Set limits, each in place of an earlier one of the same thing; without ends it is cleared.
function setLimits(given) {
  const others = state.limits.filter((limit) => !given.some((each) => sameThing(each, limit)));
  change("limit", { limits: [...others, ...given.filter(({ low, high }) => low !== null || high !== null)] });
}

const calledWords = ({ y, to }) => `of ${classNames[y]} called ${OTHERS[to] ?? classNames[to]}`;

function inScale({ key }, value) {
  return key === undefined ? `${short(100 * value, 3)} %` : short(inUnits(indexOfKey(key), value), 4);
}

// What a limit is about and how much of it there is: "VUS 0.57", "12 % of severe called mild".
function valueWords(limit, value) {
  const text = inScale(limit, value);
  return limit.key === undefined ? `${text} ${calledWords(limit)}` : `${titles[indexOfKey(limit.key)]} ${text}`;
}

function limitWords(limit) {
  const range = [["at least", limit.low], ["at most", limit.high]]
    .filter(([, end]) => end !== null).map(([words, end]) => `${words} ${inScale(limit, end)}`).join(" and ");
  return limit.key === undefined ? `${range} ${calledWords(limit)}` : `${titles[indexOfKey(limit.key)]} ${range}`;
}

function makeLimits() {
  const what = byId("limit-what");
  const option = (words, value) => element("option", words, { value });
  what.append(...distinct.map((j) => option(titles[j], data.objectives[j].key)), option("share of a class …", ""));
  byId("limit-class").append(...classNames.map(option));
  byId("limit-to").append(...classNames.map(option), ...Object.entries(OTHERS).map(([value, words]) => option(words, value)));
  byId("limit-class").value = front.r - 1;
  byId("limit-to").value = front.r > 2 ? "lower" : "other";
  const showForm = () => {
    const ofClass = what.value === "";
    byId("limit-classes").hidden = !ofClass;
    byId("limit-unit").textContent = ofClass ? "%" : "";
    byId("limit-end").value = ofClass ? "high" : "low";
  };
  what.addEventListener("change", showForm);
  byId("limit-form").addEventListener("submit", addLimit);
  byId("clear").addEventListener("click", () => { change("limit", { limits: [] }); what.focus(); });
  showForm();
}

function addLimit(event) {
  event.preventDefault();
  const key = byId("limit-what").value;
  const typed = byId("limit-value").valueAsNumber;
  byId("limit-error").hidden = !Number.isNaN(typed);
  if (Number.isNaN(typed)) return;
  const to = byId("limit-to").value;
  const thing = key ? { key } : { y: Number(byId("limit-class").value), to: to in OTHERS ? to : Number(to) };
  const value = key ? fromUnits(indexOfKey(key), typed) : typed / 100;
  const before = state.limits.find((limit) => sameThing(limit, thing)) ?? { low: null, high: null };
  setLimits([{ ...thing, low: before.low, high: before.high, [byId("limit-end").value]: value }]);
  byId("limit-value").value = "";
}

function showLimits(found, setting) {
  byId("chips").replaceChildren(...state.limits.map((limit, l) => {
    const words = limitWords(limit);
    const chip = element("li");
    const cost = found.limitCosts[l];
    const note = setting ? "met on new data"
      : found.best ? (cost > 1e-12 ? `costs +${short(cost, 2)}` : "costs nothing")
        : Number.isFinite(cost) ? "cannot be met" : "";
    const clear = element("button", "×", { type: "button", "aria-label": `Clear: ${words}` });
    clear.addEventListener("click", () => {
      change("limit", { limits: state.limits.filter((other) => other !== limit) });
      (byId("chips").querySelector("button") ?? byId("limit-what")).focus();
    });
    chip.append(element("span", words), element("span", note, { class: "muted" }), clear);
    return chip;
  }));
  byId("clear").hidden = state.limits.length === 0;
}
