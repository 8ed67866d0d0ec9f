// The page: what is shown, and shown again when something changes.

import { data, front, hasSelected, nameOf } from "./data.js";
import { byId, element } from "./dom.js";
import { choose } from "./choice.js";
import { showComparison } from "./compare.js";
import { expectedCosts } from "./costs.js";
import { isRefused, makeControls, onRefusal, showControls } from "./controls.js";
import { showGoodness } from "./goodness.js";
import { commandForNewData, introduce, tellHeadline } from "./headline.js";
import { clearLimit, makeLimits, setLimits, showLimits } from "./limits.js";
import { drawLines, listenToLines } from "./lines.js";
import { drawMatrix, listenToMatrix } from "./matrix.js";
import { modelDocument, save, showModel, sideOf } from "./model.js";
import { alikeTo } from "./noise.js";
import { counted, grouped } from "./numbers.js";
import { limitsMissed, makeSettings, selectionFor, showSettings } from "./settings.js";
import { canUndo, change, distinct, keepAddress, onChange, restore, state, undo } from "./state.js";
import { introduceSamples } from "./samples.js";
import { makeTable, showTable } from "./table.js";
import { makeWords } from "./words.js";

let found = null;
let chosen = null;
let selection = null;

function update() {
  showControls();
  found = choose(state);
  found.prepared = selectionFor(found.matrix);
  found.missed = found.prepared ? limitsMissed(found.prepared) : [];
  selection = found.missed.length === 0 ? found.prepared : null;
  chosen = selectedSide() ?? memberSide();
  const pinned = state.pin && costedSide(state.pin);
  found.chosenIndex = chosen?.candidate.i;
  found.chosenMeasures = chosen?.measures;
  found.pinned = pinned?.measures;
  found.alike = chosen ? alikeTo(chosen.candidate.i) : new Uint8Array(front.k);
  byId("noise").checked = state.noise;
  byId("alike").textContent = chosen && front.expected ? alikeWords(chosen.candidate.i) : "";
  tellHeadline(found, chosen, selection);
  showGoodness(selection && !hasSelected ? null : chosen);
  showSettings(found);
  byId("command").textContent = commandForNewData(found);
  byId("save-costs").hidden = state.setting !== null || state.matrix === null || data.run === null;
  byId("copied").textContent = "";
  byId("undo").disabled = !canUndo();
  byId("unpin").hidden = state.pin === null;
  showLimits(found, selection);
  showChips();
  byId("selection").textContent = state.limits.length === 0
    ? counted(front.k, "model")
    : `${grouped(found.within.length)} of ${counted(front.k, "model")} within the limits`;
  showModel(chosen);
  showComparison(pinned, chosen);
  showTable(found);
  drawMatrix(found);
  drawLines(found);
}

// How many models cannot be told apart from one, which may be one of them.
function alikeWords(i) {
  const itself = i < front.k ? 1 : 0;
  const [alike, count] = [found.alike.reduce((a, b) => a + b, 0) - itself, front.k - itself];
  const models = counted(count, itself ? "other model" : "model");
  const from = `told apart from ${nameOf(i)} on new data.`;
  return alike === count && count > 1 ? `None of the ${models} can be ${from}`
    : `Of ${models}, ${grouped(alike)} cannot be ${from}`;
}

// A model with what it costs in training, for the costs that are set.
function costedSide(candidate) {
  const side = sideOf(candidate, 0);
  [side.cost] = expectedCosts(side.confusion, found.costs);
  return side;
}

// The model that was selected for what is set, as far as the page knows it.
function selectedSide() {
  if (!selection || !hasSelected) return null;
  const side = costedSide({ i: front.k + selection.index, cuts: null });
  if (selection.confusion) side.crossed = Int32Array.from(selection.confusion);
  return side;
}

function memberSide() {
  return found.chosen && sideOf(found.chosen.candidate, found.chosen.cost);
}

// What is typed cannot be used: no figure may stay that belongs to something else.
function blank() {
  byId("chosen-kind").textContent = "No costs to choose by";
  byId("chosen-cost").textContent = "–";
  byId("cost-where").textContent = "";
  byId("chosen-note").textContent = "Correct the fields marked above.";
  byId("scale").replaceChildren();
  byId("nearest").hidden = true;
  byId("verdicts").replaceChildren();
  showGoodness(null);
  byId("download-note").textContent = "";
  byId("command").textContent = "";
  byId("download").disabled = true;
  byId("pin").disabled = true;
}

function showChips() {
  for (const box of byId("objectives").querySelectorAll("input")) box.checked = state.shown.includes(Number(box.value));
  byId("all-objectives").hidden = state.shown.length === distinct.length;
}

function makeChips() {
  for (const j of distinct) {
    const label = element("label");
    label.dataset.meaning = data.objectives[j].meaning;
    const box = element("input", undefined, { type: "checkbox", value: j });
    box.addEventListener("change", () => {
      const shown = distinct.filter((other) => (other === j ? box.checked : state.shown.includes(other)));
      if (shown.length < 2) box.checked = true; // a pair is the least that can be drawn
      else change("shown", { shown });
    });
    const words = element("span", data.objectives[j].words);
    label.append(box, words);
    byId("objectives").append(label);
  }
  byId("all-objectives").addEventListener("click", () => {
    change("shown", { shown: distinct });
    byId("objectives").querySelector("input").focus();
  });
}

// Of several models on one point the cheapest first, then one after the other.
function pick(models) {
  const order = [...models].sort((a, b) => found.modelCosts[a] - found.modelCosts[b] || a - b);
  const next = order[(order.indexOf(state.look) + 1) % order.length];
  change("look", { look: next });
  byId("picked").textContent = order.length === 1 ? `Model ${data.indices[next]}.`
    : `${order.length} models lie on this point; this is model ${data.indices[next]}`
      + `${next === order[0] ? ", the cheapest of them" : ""}. Click again for the next.`;
}

async function copy(text, marked) {
  try {
    await navigator.clipboard.writeText(text);
    byId("copied").textContent = "Copied.";
  } catch {
    if (marked) getSelection().selectAllChildren(marked);
    byId("copied").textContent = marked ? "Marked: press Ctrl+C." : "Copy it from the address bar.";
  }
}

function download() {
  const prepared = selection?.document;
  save(prepared ? `${prepared}\n` : modelDocument(chosen, found), "model.json", "application/json");
}

function listenToButtons() {
  const on = (id, act) => byId(id).addEventListener("click", act);
  on("download", download);
  on("unlook", () => { change("look", { look: null }); byId("download").focus(); });
  on("pin", () => change("pin", { pin: chosen.candidate }));
  on("unpin", () => { change("pin", { pin: null }); byId("pin").focus(); });
  on("copy", () => copy(byId("command").textContent, byId("command")));
  on("link", () => { keepAddress(); copy(location.href); });
  on("save-costs", () => save(`${found.matrix.map((line) => line.join(",")).join("\n")}\n`, "costs.csv", "text/csv"));
  on("clear", () => { change("limit", { limits: [] }); byId("limit-what").focus(); });
  on("undo", () => { undo(); if (byId("undo").disabled) byId("download").focus(); });
  byId("noise").addEventListener("change", () => change("noise", { noise: byId("noise").checked }));
  byId("noise-box").hidden = !front.expected;
  byId("alike-legend").hidden = !front.expected;
  on("print", () => window.print());
  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLInputElement && event.target.type === "number";
    if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !typing) {
      event.preventDefault();
      undo();
    }
  });
}

function start() {
  introduce();
  introduceSamples();
  makeControls();
  makeSettings();
  makeLimits();
  makeChips();
  makeTable();
  makeWords();
  onRefusal(blank);
  onChange(update);
  restore(location.hash.slice(1));
  listenToButtons();
  listenToMatrix((limits) => setLimits("brush", limits), pick);
  listenToLines((limits) => setLimits("brush", limits), clearLimit);
  window.addEventListener("hashchange", () => restore(location.hash.slice(1)));
  const redraw = () => { if (!isRefused()) update(); };
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  window.addEventListener("beforeprint", redraw);
  window.addEventListener("afterprint", redraw);
  window.addEventListener("resize", () => { if (chosen && !isRefused()) showModel(chosen); });
  document.documentElement.dataset.ready = "yes";
}

start();
