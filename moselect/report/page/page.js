// The page: controls, and what is drawn again when they change.
"use strict";

function makeCosts() {
  data.classes.forEach((name, c) => {
    const line = element("div", undefined, { class: "slider" });
    const slider = element("input", undefined, {
      type: "range", min: 0, max: 10, step: 0.1, value: 1, "aria-label": `Cost of class ${name}`,
    });
    const exact = element("input", undefined, {
      type: "number", min: 0, step: "any", value: 1, "aria-label": `Cost of class ${name}, exactly`,
    });
    const label = element("span", name, { class: "label", title: name });
    slider.addEventListener("input", () => { exact.value = slider.value; readCosts(); });
    exact.addEventListener("input", () => {
      slider.max = Math.max(10, exact.valueAsNumber || 0);
      slider.value = exact.value;
      readCosts();
    });
    line.append(label, slider, exact);
    byId("class-costs").append(line);
  });
  for (const radio of document.getElementsByName("loss")) radio.addEventListener("change", readCosts);
  byId("use-priors").addEventListener("change", readCosts);
  const masses = classMasses(front.confusions.subarray(0, front.r * front.r), front.r);
  const n = masses.reduce((a, b) => a + b, 0);
  data.classes.forEach((name, c) => {
    const line = element("label", undefined, { class: "share" });
    const input = element("input", undefined, {
      type: "number", min: 0, step: "any", value: ((100 * masses[c]) / n).toFixed(1),
    });
    input.addEventListener("input", () => { byId("use-priors").checked = true; readCosts(); });
    line.append(element("span", name, { class: "label", title: name }), input);
    byId("priors").append(line);
  });
}

function readCosts() {
  const classCosts = numbersOf("#class-costs input[type=number]");
  const parts = byId("use-priors").checked ? numbersOf("#priors input") : null;
  const error = errorOf(classCosts, parts);
  byId("costs-error").textContent = error;
  byId("costs-error").hidden = error === "";
  if (error !== "") return;
  state.classCosts = classCosts;
  state.loss = document.querySelector("input[name=loss]:checked").value;
  state.priors = parts && sharesOf(parts.map((part) => part / 100));
  state.pinned = null;
  findCosts();
  showChoice();
}

function numbersOf(selector) {
  return Array.from(document.querySelectorAll(selector), (input) => input.valueAsNumber);
}

function errorOf(classCosts, parts) {
  for (const [what, values] of [["Costs", classCosts], ["Shares", parts ?? [1]]]) {
    if (!values.every((value) => Number.isFinite(value) && value >= 0)) {
      return `${what} are numbers from 0 upwards.`;
    }
    if (!values.some((value) => value > 0)) return `${what} must not all be 0.`;
  }
  return "";
}

// The words first, then the charts, which follow when there is time.
function showChoice() {
  tellChoice();
  moveRings();
  drawLinesSoon();
}

function tellChoice() {
  const i = chosen();
  const cheapest = state.pinned === null;
  byId("chosen-kind").textContent = cheapest
    ? `Cheapest: model ${data.places[i]}`
    : `Model ${data.places[i]}`;
  byId("chosen-cost").textContent = short(state.costs[i]);
  byId("chosen-note").textContent = [
    cheapest ? "" : `The cheapest, model ${data.places[state.cheapest]}, costs ${short(state.costs[state.cheapest])}.`,
    heldOutCost(i),
  ].join(" ").trim();
  byId("unpin").hidden = cheapest;
  byId("command").textContent = commandForNewData();
  byId("copied").textContent = "";
  showModel();
  showTable();
}

function heldOutCost(i) {
  if (!front.holdoutConfusions) return "";
  const confusion = row(front.holdoutConfusions, front.r * front.r, i);
  const matrix = costMatrix(state.classCosts, state.loss);
  return `On held-out rows: ${short(expectedCosts(confusion, front.r, matrix, state.priors)[0])}.`;
}

function commandForNewData() {
  const costs = state.classCosts;
  if (data.run === null) {
    const priors = state.priors ? `, priors=[${state.priors.join(", ")}]` : "";
    return `search.select(class_costs=[${costs.join(", ")}], loss="${state.loss}"${priors})`;
  }
  const priors = state.priors ? ` --priors ${state.priors.join(",")}` : "";
  return `moselect select ${data.run} --class-costs ${costs.join(",")} --loss ${state.loss}${priors}`;
}

async function copyCommand() {
  const code = byId("command");
  try {
    await navigator.clipboard.writeText(code.textContent);
    byId("copied").textContent = "Copied.";
  } catch {
    getSelection().selectAllChildren(code);
    byId("copied").textContent = "Marked: press Ctrl+C.";
  }
}

function pin(i) {
  state.pinned = i === state.cheapest ? null : i;
  showChoice();
}

// `filters` are left alone while the user types in them, the matrix while Plotly has `painted` it.
function showSelection({ filters = true, painted = false } = {}) {
  state.firstRow = 0;
  tellSelection();
  if (filters) showFilters();
  showTableSoon();
  if (!painted) paintMatrix();
  drawLinesSoon();
}

function tellSelection() {
  findSelected();
  const count = state.selected.length;
  byId("selection").textContent = isSelective()
    ? `${grouped(count)} of ${grouped(front.k)} models selected`
    : `all ${grouped(front.k)} models`;
  byId("clear").disabled = !isSelective();
}

const showTableSoon = once(() => showTable());

function clearSelection() {
  state.brush = null;
  state.ranges.fill(null);
  showSelection();
}

function makeChips() {
  data.objectives.forEach((each, j) => {
    const label = element("label");
    const box = element("input", undefined, { type: "checkbox" });
    box.checked = state.shown[j];
    box.addEventListener("change", () => {
      state.shown[j] = box.checked;
      if (state.shown.filter(Boolean).length < 2) {
        state.shown[j] = box.checked = true; // a pair is the least that can be drawn
      } else {
        drawCharts();
      }
    });
    label.append(box, element("span", each.words));
    byId("objectives").append(label);
  });
}

function introduce() {
  byId("name").textContent = data.name ?? "Front of ordinal models";
  byId("facts").textContent = [
    `${grouped(data.n_models)} models`,
    `${grouped(data.n_objects)} objects`,
    `${grouped(front.r)} classes`,
    `${grouped(front.p)} features`,
    data.target === null ? "" : `target ${data.target}`,
    `hypervolume above chance ${data.hypervolume.toFixed(4)}`,
  ].filter(Boolean).join(" · ");
  if (front.k < data.n_models) {
    byId("shown").hidden = false;
    byId("shown").textContent = `Shown are ${grouped(front.k)} of the ${grouped(data.n_models)} `
      + "models, spread evenly over the front; the cheapest is that of these.";
  }
}

function drawCharts() {
  return Promise.all([drawMatrix(), drawLines()]);
}

async function start() {
  introduce();
  makeCosts();
  makeChips();
  makeTable();
  byId("download").addEventListener("click", download);
  byId("unpin").addEventListener("click", () => pin(state.cheapest));
  byId("copy").addEventListener("click", copyCommand);
  byId("clear").addEventListener("click", clearSelection);
  findCosts();
  tellSelection();
  tellChoice();
  await drawCharts();
  listenToMatrix();
  listenToLines();
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawCharts);
  document.documentElement.dataset.ready = "yes";
}

start();
