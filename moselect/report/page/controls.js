// The controls of costs: for each class, cell by cell, and the shares of the classes in use.

const DISTANCES = {
  absolute: "its distance in classes", squared: "its distance in classes, squared", zero_one: "1, however far it is off",
};
const MANY = 7; // classes, which stand closer and whose confusion matrix takes all the width
const fields = { sliders: [], exact: [], cells: [], shares: [] };

function costInput(label, type, set, attributes = {}) {
  const input = element("input", undefined, { type, min: 0, step: "any", "aria-label": label, ...attributes });
  input.addEventListener("input", () => change("costs", set(input.valueAsNumber)));
  return input;
}

function makeControls() {
  data.classes.forEach((name, c) => {
    const set = (cost) => ({ classCosts: state.classCosts.with(c, cost), matrix: null });
    const label = () => element("span", classNames[c], { class: "label", title: name });
    fields.sliders.push(costInput(`Cost of class ${name}`, "range", set, { max: 10, step: 0.1 }));
    fields.exact.push(costInput(`Cost of class ${name}, exactly`, "number", set));
    fields.shares.push(costInput(`Share of class ${name} in use, percent`, "number", (percent) => (
      { priors: (state.priors ?? sharesOfData).with(c, percent / 100) }
    )));
    byId("class-costs").append(element("div", [label(), fields.sliders[c], fields.exact[c]], { class: "slider" }));
    byId("priors").append(element("div", [label(), fields.shares[c]], { class: "share" }));
  });
  byId("class-costs").classList.toggle("many", r > MANY);
  tableOfClasses(byId("cost-matrix"), (y, c) => {
    const input = costInput(`Cost of calling ${data.classes[y]} ${data.classes[c]}`, "number", (cost) => (
      { matrix: matrixOf(state).map((line, other) => (other === y ? line.with(c, cost) : line)) }
    ));
    fields.cells.push(input);
    return input;
  });
  for (const radio of document.getElementsByName("loss")) {
    radio.addEventListener("change", () => change("loss", { loss: radio.value, matrix: null }));
  }
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
    slider.max = Math.max(10, state.classCosts[c] || 0);
    slider.value = state.classCosts[c];
  });
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
function costsWords({ matrix, classCosts, loss, priors }) {
  const each = (values, text) => data.classes.map((name, c) => `${name}: ${text(values[c])}`).join(", ");
  const shares = priors ? ` Class shares in use: ${each(sharesOf(priors), (share) => `${short(100 * share)} %`)}.` : "";
  if (matrix) return `Costs of a true class called each class: ${each(matrix, (line) => line.join(", "))}.${shares}`;
  return `A mistake costs ${DISTANCES[loss]}, times: ${each(classCosts, String)}.${shares}`;
}

// A word as a shell reads it.
const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\"'\"'")}'`);

// What to type where the data are, for the same model.
function commandFor(kind) {
  const { matrix, classCosts, loss, limits } = state;
  const priors = state.priors && sharesOf(state.priors).map((share) => Number(share.toPrecision(12)));
  if (data.run === null) {
    const given = matrix ? `cost_matrix=${JSON.stringify(matrix)}` : `class_costs=${JSON.stringify(classCosts)}, loss="${loss}"`;
    const within = limits.map((limit) => `${JSON.stringify(limitKey(limit))}: ${limit.most}`).join(", ");
    return `search.select(${given}${priors ? `, priors=${JSON.stringify(priors)}` : ""}, kind="${kind.name}"${within && `, limits={${within}}`})`;
  }
  return [
    `moselect select ${data.run}`,
    matrix ? "--cost-matrix costs.csv" : `--class-costs ${classCosts.join(",")}`,
    matrix || loss === "absolute" ? "" : `--loss ${loss}`,
    priors ? `--priors ${priors.join(",")}` : "",
    ...limits.map((limit) => `--limit ${quoted(`${limitKey(limit)}:${limit.most}`)}`),
    `--kind ${quoted(kind.name)} -o model.${kind.document ? "json" : "skops"}`,
  ].filter(Boolean).join(" ");
}
