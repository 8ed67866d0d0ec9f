// The controls of costs: for each class, cell by cell, and the shares of the classes in use.

import { data, front, sharesOfData } from "./data.js";
import { byId, element, named, heading, shortNames } from "./dom.js";
import { costMatrix, sharesOf } from "./costs.js";
import { change, initial, state } from "./state.js";
import { short } from "./numbers.js";
import { canSolve } from "./thresholds.js";

const classNames = shortNames(data.classes);
const DISTANCES = {
  absolute: "its distance in classes", squared: "its distance in classes, squared", zero_one: "1, however far it is off",
};
const MANY = 7; // classes, whose sliders stand closer
const shareTexts = []; // what the fields hold: what is as written was not edited
let parts = sharesOfData; // what they stand for, whatever its sum
const fields = { sliders: [], exact: [], cells: [], shares: [] };

function numberField(name, attributes = {}) {
  return element("input", undefined, { type: "number", min: 0, step: "any", "aria-label": name, ...attributes });
}

export function makeControls() {
  data.classes.forEach((name, c) => {
    const line = element("div", undefined, { class: "slider" });
    const slider = element("input", undefined, { type: "range", min: 0, max: 10, step: 0.1, "aria-label": `Cost of class ${name}` });
    const exact = numberField(`Cost of class ${name}, exactly`);
    slider.addEventListener("input", () => { exact.value = slider.value; readCosts(); });
    exact.addEventListener("input", readCosts);
    line.append(element("span", classNames[c], { class: "label", title: name }), slider, exact);
    byId("class-costs").append(line);
    fields.sliders.push(slider);
    fields.exact.push(exact);
    const share = element("label", undefined, { class: "share" });
    const input = numberField(`Share of class ${name} in use, percent`);
    input.addEventListener("input", () => { byId("use-priors").checked = true; readShares(); });
    share.append(element("span", classNames[c], { class: "label", title: name }), input);
    byId("priors").append(share);
    fields.shares.push(input);
  });
  byId("class-costs").classList.toggle("many", front.r > MANY);
  makeMatrix();
  for (const radio of document.getElementsByName("loss")) radio.addEventListener("change", readCosts);
  byId("use-priors").addEventListener("change", readShares);
  byId("solve").addEventListener("change", () => change("solve", { solve: byId("solve").checked }));
  byId("solve-box").hidden = !canSolve;
  byId("cannot-solve").hidden = canSolve;
  byId("by-class").addEventListener("click", () => change("costs", { matrix: null }));
  byId("reset").addEventListener("click", () => {
    const { classCosts, loss, matrix, priors, solve } = initial();
    change("reset", { classCosts, loss, matrix, priors, solve });
  });
}

function makeMatrix() {
  const table = byId("cost-matrix");
  table.style.setProperty("--classes", front.r);
  const body = element("tbody");
  table.append(heading(["true", ...classNames.map((name, c) => named("th", name, data.classes[c], { scope: "col" }))]), body);
  data.classes.forEach((name, y) => {
    const line = element("tr");
    line.append(named("th", classNames[y], name, { scope: "row" }));
    data.classes.forEach((other) => {
      const input = numberField(`Cost of calling ${name} ${other}`);
      input.addEventListener("input", readMatrix);
      const cell = element("td");
      cell.append(input);
      line.append(cell);
      fields.cells.push(input);
    });
    body.append(line);
  });
}

const numbersIn = (inputs) => inputs.map((input) => input.valueAsNumber);

// Words on what is wrong with some numbers, and marks at the fields.
function check(what, inputs) {
  const values = numbersIn(inputs);
  const wrong = values.map((value) => !(Number.isFinite(value) && value >= 0));
  const none = !wrong.includes(true) && !values.some((value) => value > 0);
  inputs.forEach((input, i) => {
    if (wrong[i] || none) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  });
  if (wrong.includes(true)) return `${what} are numbers from 0 upwards.`;
  return none ? `${what} must not all be 0.` : "";
}

let errors = { costs: "", shares: "" };
let refuse = () => {};

// Whom to tell that what is typed cannot be used, so that no figure stays that is not its own.
export function onRefusal(listener) {
  refuse = listener;
}

function refused(kind, error) {
  errors = { ...errors, [kind]: error };
  const text = Object.values(errors).filter(Boolean).join(" ");
  byId("costs-error").textContent = text;
  byId("costs-error").hidden = text === "";
  if (error) refuse();
  return error !== "";
}

export function isRefused() {
  return Object.values(errors).some(Boolean);
}

function readCosts() {
  if (refused("costs", check("Costs", fields.exact))) return;
  change("costs", {
    classCosts: numbersIn(fields.exact),
    loss: document.querySelector("input[name=loss]:checked").value,
    matrix: null,
  });
}

function readMatrix() {
  if (refused("costs", check("Costs", fields.cells))) return;
  const cells = numbersIn(fields.cells);
  change("costs", { matrix: data.classes.map((_, y) => cells.slice(y * front.r, (y + 1) * front.r)) });
}

function readShares() {
  if (!byId("use-priors").checked) {
    refused("shares", "");
    change("shares", { priors: null });
    return;
  }
  if (refused("shares", check("Shares", fields.shares))) return;
  // What nobody edited keeps the digits that the field does not show.
  parts = fields.shares.map((input, c) => (
    input.value === shareTexts[c] ? parts[c] : input.valueAsNumber / 100
  ));
  fields.shares.forEach((input, c) => { shareTexts[c] = input.value; });
  change("shares", { priors: sharesOf(parts) });
}

// Shares that are not those of the fields, as after undo, replace them.
function showShares(shares) {
  const now = sharesOf(parts);
  if (shareTexts.length > 0 && shares.every((share, c) => share === now[c])) return;
  parts = shares;
  shares.forEach((share, c) => {
    shareTexts[c] = String(Number((100 * share).toPrecision(4)));
    fields.shares[c].value = shareTexts[c];
  });
}

const show = (input, value) => {
  if (input !== document.activeElement) input.value = value;
};

// Show the state in the controls; a field that is typed in is left alone.
export function showControls() {
  errors = { costs: "", shares: "" };
  byId("costs-error").hidden = true;
  const matrix = state.matrix ?? costMatrix(state.classCosts, state.loss);
  state.classCosts.forEach((cost, c) => {
    fields.sliders[c].max = Math.max(10, cost);
    fields.sliders[c].value = cost;
    show(fields.exact[c], cost);
  });
  matrix.flat().forEach((cost, cell) => show(fields.cells[cell], Number(cost.toPrecision(12))));
  for (const input of [...fields.exact, ...fields.cells, ...fields.shares]) input.removeAttribute("aria-invalid");
  for (const radio of document.getElementsByName("loss")) radio.checked = radio.value === state.loss;
  byId("matrix-note").hidden = state.matrix === null;
  byId("class-costs-box").classList.toggle("unused", state.matrix !== null);
  byId("use-priors").checked = state.priors !== null;
  showShares(state.priors ?? sharesOfData);
  byId("solve").checked = state.solve;
  byId("costs-words").textContent = costsWords();
}

// What is set, in words: for paper.
function costsWords() {
  if (state.setting !== null) return `Chosen for: ${data.selections[state.setting].name}.`;
  const each = (values, text) => data.classes.map((name, c) => `${name} ${text(values[c])}`).join(", ");
  const shares = state.priors ? ` Class shares in use: ${each(state.priors, (share) => `${short(100 * share)} %`)}.` : "";
  if (state.matrix) {
    const rows = data.classes.map((name, y) => `${name} ${state.matrix[y].join(", ")}`);
    return `Costs of a true class (rows) called each class: ${rows.join("; ")}.${shares}`;
  }
  return `A mistake costs ${DISTANCES[state.loss]}, times: ${each(state.classCosts, String)}.${shares}`;
}
