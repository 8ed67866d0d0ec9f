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

const replaced = (values, at, value) => values.map((other, i) => (i === at ? value : other));

function makeControls() {
  data.classes.forEach((name, c) => {
    const set = (cost) => ({ classCosts: replaced(state.classCosts, c, cost), matrix: null });
    fields.sliders.push(costInput(`Cost of class ${name}`, "range", set, { max: 10, step: 0.1 }));
    fields.exact.push(costInput(`Cost of class ${name}, exactly`, "number", set));
    fields.shares.push(costInput(`Share of class ${name} in use, percent`, "number", (percent) => (
      { priors: replaced(state.priors ?? sharesOfData, c, percent / 100) }
    )));
    const [line, share] = ["slider", "share"].map((kind) => {
      const made = element("div", undefined, { class: kind });
      made.append(element("span", classNames[c], { class: "label", title: name }));
      return made;
    });
    line.append(fields.sliders[c], fields.exact[c]);
    share.append(fields.shares[c]);
    byId("class-costs").append(line);
    byId("priors").append(share);
  });
  byId("class-costs").classList.toggle("many", front.r > MANY);
  tableOfClasses(byId("cost-matrix"), (y, c) => {
    const cell = element("td");
    fields.cells.push(costInput(`Cost of calling ${data.classes[y]} ${data.classes[c]}`, "number", (cost) => (
      { matrix: matrixOf(state).map((line, other) => (other === y ? replaced(line, c, cost) : line)) }
    )));
    cell.append(fields.cells.at(-1));
    return cell;
  });
  for (const radio of document.getElementsByName("loss")) {
    radio.addEventListener("change", () => change("loss", { loss: radio.value, matrix: null }));
  }
  byId("use-priors").addEventListener("change", () => change("shares", { priors: byId("use-priors").checked ? sharesOfData : null }));
  byId("cannot-solve").hidden = nCuts > 0;
  byId("by-class").addEventListener("click", () => change("matrix", { matrix: null }));
  byId("reset").addEventListener("click", () => {
    const { classCosts, loss, matrix, priors } = initial();
    change("reset", { classCosts, loss, matrix, priors });
  });
  makeSettings();
}

// The settings for which models were selected when the page was made.
function makeSettings() {
  const list = byId("setting");
  list.append(element("option", "the costs set below", { value: "" }), ...data.settings.map(({ name }, i) => element("option", name, { value: i })));
  byId("setting-box").hidden = data.settings.length === 0;
  list.addEventListener("change", () => {
    if (list.value === "") return;
    const { class_costs: classCosts, loss } = data.settings[list.value];
    change("setting", { classCosts, loss, matrix: null, priors: null, look: null });
  });
}

// Show the state in the controls; a field that is typed in is left alone.
function showControls(setting) {
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
  byId("setting").value = setting ? String(setting.i - front.k) : "";
  byId("matrix-note").hidden = state.matrix === null;
  byId("class-costs-box").classList.toggle("unused", state.matrix !== null);
  byId("use-priors").checked = state.priors !== null;
  byId("costs-words").textContent = costsWords();
}

// What is set, in words: for paper.
function costsWords() {
  const each = (values, text) => data.classes.map((name, c) => `${name} ${text(values[c])}`).join(", ");
  const shares = state.priors ? ` Class shares in use: ${each(sharesOf(state.priors), (share) => `${short(100 * share)} %`)}.` : "";
  if (state.matrix) return `Costs of a true class called each class: ${each(state.matrix, (line) => line.join(", "))}.${shares}`;
  return `A mistake costs ${DISTANCES[state.loss]}, times: ${each(state.classCosts, String)}.${shares}`;
}

// What to type where the data are, for the rule that is fitted to new data.
function commandForNewData() {
  const { matrix, classCosts, loss } = state;
  const priors = state.priors && sharesOf(state.priors).map((share) => Number(share.toPrecision(12)));
  if (data.run === null) {
    const given = matrix ? `cost_matrix=[${matrix.map((line) => `[${line.join(", ")}]`).join(", ")}]`
      : `class_costs=[${classCosts.join(", ")}], loss="${loss}"`;
    return `search.select(${given}${priors ? `, priors=[${priors.join(", ")}]` : ""})`;
  }
  const given = matrix ? "--cost-matrix costs.csv" : `--class-costs ${classCosts.join(",")} --loss ${loss}`;
  return `moselect select ${data.run} ${given}${priors ? ` --priors ${priors.join(",")}` : ""}`;
}
