// The controls of costs: for each class, cell by cell, and the shares of the classes in use.

const DISTANCES = {
  absolute: "its distance in classes", squared: "its distance in classes, squared", zero_one: "1, however far it is off",
};

// A field of a cost or share; while it holds no number it is left as it is.
function costInput(label, type, get, set, attributes = {}) {
  const input = element("input", [], { type, min: 0, step: "any", "aria-label": label, ...attributes });
  showFields.push(() => { input.ariaInvalid = type === "range" || get() >= 0 ? null : "true"; });
  const shown = () => (Number.isNaN(get()) ? input.value : Number(get().toPrecision(12)));
  return bind(input, shown, () => change("costs", set(input.valueAsNumber)));
}

// Sliders have a scale of decades; at the left end stands 0.
const [LEAST, MOST] = [-1, 2];
const costAt = (place) => (place <= LEAST ? 0 : Number((10 ** place).toPrecision(2)));

function makeControls() {
  data.classes.forEach((name, c) => {
    const [get, place] = [() => state.classCosts[c], () => clamp(Math.log10(state.classCosts[c] || 0), LEAST, MOST)];
    const set = (cost) => ({ classCosts: state.classCosts.with(c, cost), matrix: null });
    const slider = costInput(`Cost of class ${name}`, "range", place, (to) => set(costAt(to)), { min: LEAST, max: MOST, step: 0.02 });
    showFields.push(() => { slider.ariaValueText = state.classCosts[c]; });
    const exact = costInput(`Cost of class ${name}, exactly`, "number", get, set);
    const shares = () => state.priors ?? sharesOfData;
    const share = costInput(`Share of class ${name} in use, percent`, "number", () => Number((100 * shares()[c]).toPrecision(4)), (percents) => (
      { priors: shares().with(c, percents / 100) }
    ));
    const label = () => element("span", classNames[c], { class: "label", title: name });
    byId("class-costs").append(element("div", [label(), slider, exact], { class: "slider" }));
    byId("priors").append(element("div", [label(), share], { class: "share" }));
  });
  tableOfClasses("cost-matrix", (y, c) => {
    const set = (cost) => ({ matrix: matrixOf(state).with(y, matrixOf(state)[y].with(c, cost)) });
    return costInput(`Cost of calling ${data.classes[y]} ${data.classes[c]}`, "number", () => matrixOf(state)[y][c], set);
  });
  for (const radio of document.getElementsByName("loss")) {
    showFields.push(() => { radio.checked = radio.value === state.loss; });
    radio.addEventListener("change", () => change("loss", { loss: radio.value, matrix: null }));
  }
  bind(byId("costs-line"), () => state.classCosts.map((cost) => Number(cost.toPrecision(6))).join(","), (line) => {
    const costs = readCosts(line.value);
    if (costs) change("costs", { classCosts: costs, matrix: null });
    line.ariaInvalid = costs ? null : "true";
  });
  byId("presets").append(...Object.entries(PRESETS).map(([name, cost]) => (
    button(name, () => change("preset", { classCosts: upTo(r).map(cost), matrix: null }), { class: "small" })
  )));
  bind(byId("refer"), () => state.refer && Math.max(...state.refer), ({ valueAsNumber: cost }) => {
    change("refer", { refer: Number.isNaN(cost) ? null : data.classes.map(() => cost) });
  });
  on("use-priors", "change", ({ target }) => change("shares", { priors: target.checked ? sharesOfData : null }));
  on("by-class", "click", () => change("matrix", { matrix: null }));
  on("reset", "click", () => change("reset", { ...initialSettings(), limits: state.limits, kind: state.kind }));
}

function showControls() {
  for (const show of showFields) show();
  byId("matrix-note").hidden = state.matrix === null;
  byId("class-costs-box").classList.toggle("unused", state.matrix !== null);
  byId("use-priors").checked = state.priors !== null;
  say("costs-words", costsWords(state));
}

// What costs are set, in words: for paper, and for what is pinned.
function costsWords({ matrix, classCosts, loss, priors, refer, label }) {
  const each = (values, words) => data.classes.map((name, c) => `${name}: ${words(values[c])}`).join(", ");
  const costs = matrix ? `Costs of a true class called each class: ${each(matrix, (line) => line.join(", "))}.`
    : `A mistake costs ${DISTANCES[loss]}, times: ${each(classCosts, String)}.`;
  const shares = priors ? ` Class shares in use: ${each(sharesOf(priors), (share) => `${short(100 * share)} %`)}.` : "";
  return costs + shares + (refer ? ` A person (${label}) costs ${[...new Set(refer)].join(", ")} a row.` : "");
}

// A word as a shell reads it.
const quoted = (words) => (/^[\w@%+=:,./-]+$/.test(words) ? words : `'${words.replaceAll("'", "'\"'\"'")}'`);

// What to type where the data are, for the same model.
function commandFor(kind) {
  const { matrix, classCosts, loss, limits, refer, label } = state;
  const person = refer && (new Set(refer).size > 1 ? refer : [refer[0]]);
  const priors = state.priors && sharesOf(state.priors).map((share) => Number(share.toPrecision(12)));
  if (data.run === null) {
    const options = {
      ...(matrix ? { cost_matrix: matrix } : { class_costs: classCosts, loss }), ...(priors && { priors }), kind: kind.name,
      ...(limits.length > 0 && { limits: Object.fromEntries(limits.map(({ name, most }) => [name, most])) }),
      ...(person && { refer: { [label]: person.length > 1 ? person : person[0] } }),
    };
    return `search.select(${Object.entries(options).map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(", ")})`;
  }
  return [
    `moselect select ${data.run}`,
    matrix ? "--cost-matrix costs.csv" : `--class-costs ${classCosts.join(",")}`,
    matrix || loss === "absolute" ? "" : `--loss ${loss}`,
    priors ? `--priors ${priors.join(",")}` : "",
    ...limits.map(({ name, most }) => `--limit ${quoted(`${name}:${most}`)}`),
    person ? `--refer ${quoted(`${label}:${person.join(",")}`)}` : "",
    `--kind ${quoted(kind.name)} -o model.${kind.document ? "json" : "skops"}`,
  ].filter(Boolean).join(" ");
}
