// The page: what is shown, and shown again when something changes.

let found = null; // what follows from the state
let chosen = null; // the side of the model that is chosen
let setting = null; // for which it was selected, if it was

function update() {
  const problem = problemOf(state);
  byId("costs-error").textContent = problem;
  byId("costs-error").hidden = problem === "";
  byId("results").hidden = problem !== ""; // no figure stays that belongs to something else
  setting = settingFor(state);
  showControls(setting);
  byId("undo").disabled = undone.length === 0;
  if (problem) return;
  found = choose(state, matrixOf(state));
  found.missed = setting ? limitsMissed(setting, state.limits) : [];
  if (found.missed.length > 0) setting = null;
  chosen = setting ? costedSide({ i: setting.i, cuts: null }) : found.chosen && sideOf(found.chosen, found.chosen.cost);
  const pinned = state.pin && costedSide(state.pin);
  found.chosenIndex = chosen?.candidate.i;
  found.chosenMeasures = chosen?.measures;
  found.pinned = pinned?.measures;
  showHeadline(found, chosen, setting);
  byId("command").textContent = commandForNewData();
  byId("save-costs").hidden = state.matrix === null || data.run === null;
  byId("copied").textContent = "";
  showLimits(found, setting);
  for (const box of byId("objectives").querySelectorAll("input")) box.checked = state.shown.includes(Number(box.value));
  byId("all-objectives").hidden = state.shown.length === distinct.length;
  byId("selection").textContent = state.limits.length === 0 ? counted(front.k, "model")
    : `${grouped(found.within.length)} of ${counted(front.k, "model")} within the limits`;
  byId("alike").textContent = chosen && front.expected ? alikeWords(chosen.candidate.i) : "";
  showModel(chosen, setting);
  showComparison(pinned, chosen);
  showTable(found);
  plotted = found;
  requestAnimationFrame(drawMatrix);
}

// A model with what it costs in training, for the costs that are set.
function costedSide(candidate) {
  const side = sideOf(candidate, 0);
  [side.cost] = expectedCosts(side.confusion, found.costs);
  return side;
}

// How many models cannot be told apart from one on new data: the rule of the comparison of two.
function alikeWords(i) {
  const others = EVERYONE.filter((other) => other !== i);
  const alike = others.filter((other) => distinct.every((j) => {
    const [a, b] = [i * front.m + j, other * front.m + j];
    return Math.abs(front.expected[b] - front.expected[a]) <= SURE * Math.hypot(front.expected_se[a], front.expected_se[b]);
  }));
  return `Of ${counted(others.length, "other model")}, ${grouped(alike.length)} cannot be told apart from ${nameOf(i)} on new data.`;
}

function makeObjectives() {
  for (const j of distinct) {
    const label = element("label", undefined, { "data-meaning": data.objectives[j].meaning });
    const box = element("input", undefined, { type: "checkbox", value: j });
    box.addEventListener("change", () => {
      const shown = distinct.filter((other) => (other === j ? box.checked : state.shown.includes(other)));
      if (shown.length < 2) box.checked = true; // a pair is the least that can be drawn
      else change("shown", { shown });
    });
    label.append(box, element("span", data.objectives[j].words));
    byId("objectives").append(label);
  }
}

// Of several models on one point the cheapest first, then one after the other.
function pick(models) {
  const order = [...models].sort((a, b) => found.modelCosts[a] - found.modelCosts[b] || a - b);
  const next = order[(order.indexOf(state.look) + 1) % order.length];
  change("look", { look: next });
  byId("picked").textContent = order.length === 1 ? `${capital(nameOf(next))}.`
    : `${order.length} models lie on this point; this is ${nameOf(next)}. Click again for the next.`;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    byId("copied").textContent = "Copied.";
  } catch {
    byId("copied").textContent = "The browser does not let this page copy: mark the text and press Ctrl+C.";
  }
}

function download() {
  if (setting) save(`${setting.document}\n`, "model.json", "application/json");
  else save(modelDocument(chosen, found), "model.json", "application/json");
}

function listenToButtons() {
  const on = (id, act) => byId(id).addEventListener("click", act);
  on("download", download);
  on("unlook", () => { change("look", { look: null }); byId("download").focus(); });
  on("pin", () => change("pin", { pin: { i: chosen.candidate.i, cuts: chosen.candidate.cuts } }));
  on("unpin", () => { change("pin", { pin: null }); byId("pin").focus(); });
  on("copy", () => copy(byId("command").textContent));
  on("link", () => { keepAddress(); copy(location.href); });
  on("save-costs", () => save(`${found.matrix.map((line) => line.join(",")).join("\n")}\n`, "costs.csv", "text/csv"));
  on("undo", () => { undo(); if (byId("undo").disabled) byId("download").focus(); });
  on("print", () => window.print());
  on("all-objectives", () => { change("shown", { shown: distinct }); byId("objectives").querySelector("input").focus(); });
  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLInputElement && event.target.type === "number";
    if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || typing) return;
    event.preventDefault();
    undo();
  });
}

introduce();
makeControls();
makeLimits();
makeObjectives();
makeTable();
makeGlossary();
listenToButtons();
listenToMatrix();
restore(stateInAddress());
window.addEventListener("hashchange", () => restore(stateInAddress()));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", update);
for (const kind of ["beforeprint", "afterprint"]) window.addEventListener(kind, update);
window.addEventListener("resize", () => { if (chosen) showModel(chosen, setting); });
document.documentElement.dataset.ready = "yes";
