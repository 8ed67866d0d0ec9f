// The controls of costs: for each class, cell by cell, and the shares of the classes in use.

const DISTANCES = {
  absolute: "its distance in classes", squared: "its distance in classes, squared", zero_one: "1, however far it is off",
};
const fields = { sliders: [], exact: [], cells: [], shares: [] };

function costInput(label, type, set, attributes = {}) {
  const input = element("input", undefined, { type, min: 0, step: "any", "aria-label": label, ...attributes });
  input.addEventListener("input", () => change("costs", set(input.valueAsNumber)));
  return input;
}

// Sliders have a scale of decades; at the left end stands 0.
const [LEAST, MOST] = [-1, 2];
const costAt = (place) => (place <= LEAST ? 0 : Number((10 ** place).toPrecision(2)));
const placeOf = (cost) => Math.max(LEAST, Math.min(MOST, Math.log10(cost)));

function makeControls() {
  data.classes.forEach((name, c) => {
    const set = (cost) => ({ classCosts: state.classCosts.with(c, cost), matrix: null });
    const label = () => element("span", classNames[c], { class: "label", title: name });
    fields.sliders.push(costInput(`Cost of class ${name}`, "range", (place) => set(costAt(place)), { min: LEAST, max: MOST, step: 0.02 }));
    fields.exact.push(costInput(`Cost of class ${name}, exactly`, "number", set));
    fields.shares.push(costInput(`Share of class ${name} in use, percent`, "number", (percent) => (
      { priors: (state.priors ?? sharesOfData).with(c, percent / 100) }
    )));
    byId("class-costs").append(element("div", [label(), fields.sliders[c], fields.exact[c]], { class: "slider" }));
    byId("priors").append(element("div", [label(), fields.shares[c]], { class: "share" }));
  });
  tableOfClasses("cost-matrix", (y, c) => {
    const input = costInput(`Cost of calling ${data.classes[y]} ${data.classes[c]}`, "number", (cost) => (
      { matrix: matrixOf(state).map((line, other) => (other === y ? line.with(c, cost) : line)) }
    ));
    fields.cells.push(input);
    return input;
  });
  for (const radio of document.getElementsByName("loss")) {
    radio.addEventListener("change", () => change("loss", { loss: radio.value, matrix: null }));
  }
  const line = byId("costs-line");
  line.addEventListener("input", () => {
    const costs = readCosts(line.value);
    if (costs) change("costs", { classCosts: costs, matrix: null });
    line.toggleAttribute("aria-invalid", costs === null);
  });
  for (const [name, cost] of Object.entries(PRESETS)) {
    const button = element("button", name, { type: "button", class: "small" });
    button.addEventListener("click", () => change("preset", { classCosts: data.classes.map((_, c) => cost(c)), matrix: null }));
    byId("presets").append(button);
  }
  byId("refer").addEventListener("input", () => {
    const cost = byId("refer").valueAsNumber;
    change("refer", { refer: Number.isNaN(cost) ? null : data.classes.map(() => cost) });
  });
  byId("use-priors").addEventListener("change", () => change("shares", { priors: byId("use-priors").checked ? sharesOfData : null }));
  byId("by-class").addEventListener("click", () => change("matrix", { matrix: null }));
  byId("reset").addEventListener("click", () => change("reset", { ...initialSettings(), limits: state.limits, kind: state.kind }));
}

// Show the state in the controls; a field that is typed in is left alone.
function showControls() {
  const show = (inputs, values) => inputs.forEach((input, i) => {
    if (input !== document.activeElement && !Number.isNaN(values[i])) input.value = Number(values[i].toPrecision(12));
    if (values[i] >= 0) input.removeAttribute("aria-invalid");
    else input.setAttribute("aria-invalid", "true");
  });
  fields.sliders.forEach((slider, c) => {
    if (slider !== document.activeElement) slider.value = placeOf(state.classCosts[c] || 0);
    slider.setAttribute("aria-valuetext", state.classCosts[c]);
  });
  if (document.activeElement !== byId("costs-line")) byId("costs-line").value = state.classCosts.map((cost) => Number(cost.toPrecision(6))).join(",");
  if (document.activeElement !== byId("refer")) byId("refer").value = state.refer === null ? "" : Math.max(...state.refer);
  show(fields.exact, state.classCosts);
  show(fields.cells, matrixOf(state).flat());
  show(fields.shares, (state.priors ?? sharesOfData).map((share) => Number((100 * share).toPrecision(4))));
  for (const radio of document.getElementsByName("loss")) radio.checked = radio.value === state.loss;
  byId("matrix-note").hidden = state.matrix === null;
  byId("class-costs-box").classList.toggle("unused", state.matrix !== null);
  byId("use-priors").checked = state.priors !== null;
  byId("costs-words").textContent = costsWords(state);
}

// What costs are set, in words: for paper, and for what is pinned.
function costsWords({ matrix, classCosts, loss, priors, refer, label }) {
  const each = (values, text) => data.classes.map((name, c) => `${name}: ${text(values[c])}`).join(", ");
  const shares = (priors ? ` Class shares in use: ${each(sharesOf(priors), (share) => `${short(100 * share)} %`)}.` : "")
    + (refer ? ` A person (${label}) costs ${[...new Set(refer)].join(", ")} a row.` : "");
  if (matrix) return `Costs of a true class called each class: ${each(matrix, (line) => line.join(", "))}.${shares}`;
  return `A mistake costs ${DISTANCES[loss]}, times: ${each(classCosts, String)}.${shares}`;
}

// A word as a shell reads it.
const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\"'\"'")}'`);

// What to type where the data are, for the same model.
function commandFor(kind) {
  const { matrix, classCosts, loss, limits, refer, label } = state;
  const person = refer && (new Set(refer).size > 1 ? refer : [refer[0]]);
  const priors = state.priors && sharesOf(state.priors).map((share) => Number(share.toPrecision(12)));
  if (data.run === null) {
    const given = matrix ? `cost_matrix=${JSON.stringify(matrix)}` : `class_costs=${JSON.stringify(classCosts)}, loss="${loss}"`;
    const within = limits.map((limit) => `${JSON.stringify(limitKey(limit))}: ${limit.most}`).join(", ");
    return `search.select(${given}${priors ? `, priors=${JSON.stringify(priors)}` : ""}, kind="${kind.name}"${within && `, limits={${within}}`}${person ? `, refer={${JSON.stringify(label)}: ${person.length > 1 ? JSON.stringify(person) : person[0]}}` : ""})`;
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
