// The controls of costs: for each class, cell by cell, and the shares of the classes in use.

const DISTANCES = {
  absolute: "its distance in classes", squared: "its distance in classes, squared", zero_one: "1, however far it is off",
};
const fields = { sliders: [], exact: [], cells: [], shares: [] };

function costInput(label, type, set, attributes = {}) {
  const input = element("input", [], { type, min: 0, step: "any", "aria-label": label, ...attributes });
  input.addEventListener("input", () => change("costs", set(input.valueAsNumber)));
  return input;
}

// Sliders have a scale of decades; at the left end stands 0.
const [LEAST, MOST] = [-1, 2];
const costAt = (place) => (place <= LEAST ? 0 : Number((10 ** place).toPrecision(2)));
const losses = () => document.getElementsByName("loss");

function makeControls() {
  data.classes.forEach((name, c) => {
    const set = (cost) => ({ classCosts: state.classCosts.with(c, cost), matrix: null });
    const label = () => element("span", classNames[c], { class: "label", title: name });
    fields.sliders.push(costInput(`Cost of class ${name}`, "range", (place) => set(costAt(place)), { min: LEAST, max: MOST, step: 0.02 }));
    fields.exact.push(costInput(`Cost of class ${name}, exactly`, "number", set));
    fields.shares.push(costInput(`Share of class ${name} in use, percent`, "number", (share) => (
      { priors: (state.priors ?? sharesOfData).with(c, share / 100) }
    )));
    byId("class-costs").append(element("div", [label(), fields.sliders[c], fields.exact[c]], { class: "slider" }));
    byId("priors").append(element("div", [label(), fields.shares[c]], { class: "share" }));
  });
  tableOfClasses("cost-matrix", (y, c) => {
    const set = (cost) => ({ matrix: matrixOf(state).map((line, other) => (other === y ? line.with(c, cost) : line)) });
    fields.cells.push(costInput(`Cost of calling ${data.classes[y]} ${data.classes[c]}`, "number", set));
    return fields.cells.at(-1);
  });
  losses().forEach((radio) => radio.addEventListener("change", () => change("loss", { loss: radio.value, matrix: null })));
  on("costs-line", "input", ({ target }) => {
    const costs = readCosts(target.value);
    if (costs) change("costs", { classCosts: costs, matrix: null });
    target.ariaInvalid = costs ? null : "true";
  });
  byId("presets").append(...Object.entries(PRESETS).map(([name, cost]) => (
    button(name, () => change("preset", { classCosts: upTo(r).map(cost), matrix: null }), { class: "small" })
  )));
  on("refer", "input", ({ target: { valueAsNumber: cost } }) => {
    change("refer", { refer: Number.isNaN(cost) ? null : data.classes.map(() => cost) });
  });
  on("use-priors", "change", ({ target }) => change("shares", { priors: target.checked ? sharesOfData : null }));
  on("by-class", "click", () => change("matrix", { matrix: null }));
  on("reset", "click", () => change("reset", { ...initialSettings(), limits: state.limits, kind: state.kind }));
}

// Show the state in the controls; a field that is typed in is left alone.
function showControls() {
  const { classCosts, matrix, priors, refer } = state;
  const show = (inputs, values) => inputs.forEach((input, i) => {
    if (!Number.isNaN(values[i])) put(input, Number(values[i].toPrecision(12)));
    input.ariaInvalid = values[i] >= 0 ? null : "true";
  });
  fields.sliders.forEach((slider, c) => {
    put(slider, clamp(Math.log10(classCosts[c] || 0), LEAST, MOST));
    slider.ariaValueText = classCosts[c];
  });
  put(byId("costs-line"), classCosts.map((cost) => Number(cost.toPrecision(6))).join(","));
  put(byId("refer"), refer === null ? "" : Math.max(...refer));
  show(fields.exact, classCosts);
  show(fields.cells, matrixOf(state).flat());
  show(fields.shares, (priors ?? sharesOfData).map((share) => Number((100 * share).toPrecision(4))));
  losses().forEach((radio) => { radio.checked = radio.value === state.loss; });
  byId("matrix-note").hidden = matrix === null;
  byId("class-costs-box").classList.toggle("unused", matrix !== null);
  byId("use-priors").checked = priors !== null;
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
      ...(limits.length > 0 && { limits: Object.fromEntries(limits.map((limit) => [limitKey(limit), limit.most])) }),
      ...(person && { refer: { [label]: person.length > 1 ? person : person[0] } }),
    };
    return `search.select(${Object.entries(options).map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(", ")})`;
  }
  return [
    `moselect select ${data.run}`,
    matrix ? "--cost-matrix costs.csv" : `--class-costs ${classCosts.join(",")}`,
    matrix || loss === "absolute" ? "" : `--loss ${loss}`,
    priors ? `--priors ${priors.join(",")}` : "",
    ...limits.map((limit) => `--limit ${quoted(`${limitKey(limit)}:${limit.most}`)}`),
    person ? `--refer ${quoted(`${label}:${person.join(",")}`)}` : "",
    `--kind ${quoted(kind.name)} -o model.${kind.document ? "json" : "skops"}`,
  ].filter(Boolean).join(" ");
}
