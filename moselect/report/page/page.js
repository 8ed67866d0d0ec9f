// The page: what is shown, and shown again when something changes.

let found = null; // what follows from the state: the outcomes of all kinds, and the selected one

function update() {
  const problem = problemOf(state);
  byId("costs-error").textContent = problem;
  byId("costs-error").hidden = problem === "";
  for (const part of ["results", "choice"]) byId(part).hidden = problem !== ""; // no figure stays that belongs to something else
  showControls();
  byId("undo").disabled = undone.length === 0;
  if (problem) return;
  found = follow(state);
  const { outcome, outcomes } = found;
  showChoice(found);
  showLimits(outcome);
  byId("command").textContent = commandFor(outcome.kind);
  byId("save-costs").hidden = state.matrix === null || data.run === null;
  byId("copied").textContent = "";
  showClasses(outcome, state.pin && outcomeAt(state.pin));
  showKinds(outcome, outcomes);
  showModel(outcome);
  showCase(outcome);
  showFront(outcome.kind);
}

function follow(settings) {
  const outcomes = data.kinds.map((kind) => outcomeOf(kind, settings));
  const kind = settings.kind === null ? defaultKind(outcomes) : kindNamed(settings.kind);
  const outcome = outcomes.find((each) => each.kind === kind);
  outcome.thresholds = kind.score && thresholdsOf(kind, outcome.solved);
  const free = settings.limits.length > 0 ? outcomeOf(kind, { ...settings, limits: [] }) : outcome;
  return { outcome, outcomes, free };
}

// What was pinned, with what it costs at the costs that are set now.
function outcomeAt(settings) {
  const { outcome } = follow(settings);
  const costs = costsInUse(state);
  return { ...outcome, cost: sumOf(Array.from(outcome.confusion, (count, cell) => count * costs[Math.floor(cell / r)][cell % r])) / total };
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    byId("copied").textContent = "Copied.";
  } catch {
    byId("copied").textContent = "The browser does not let this page copy: mark the text and press Ctrl+C.";
  }
}

function listenToButtons() {
  const on = (id, act, kind = "click") => byId(id).addEventListener(kind, act);
  on("download", () => save(modelDocument(found.outcome), "model.json", "application/json"));
  on("accept", update, "change");
  on("unkind", () => { change("kind", { kind: null }); byId("pin").focus(); });
  on("pin", () => {
    const settings = Object.fromEntries(Object.keys(initialSettings()).map((name) => [name, state[name]]));
    change("pin", { pin: state.pin ? null : { ...settings, kind: found.outcome.kind.name } });
  });
  on("copy", () => copy(byId("command").textContent));
  on("link", () => { keepAddress(); copy(location.href); });
  on("save-costs", () => save(`${matrixOf(state).map((line) => line.join(",")).join("\n")}\n`, "costs.csv", "text/csv"));
  on("undo", () => { undo(); if (byId("undo").disabled) byId("pin").focus(); });
  on("print", () => window.print());
  on("front", ({ target }) => { if (target.dataset.member) change("member", { member: Number(target.dataset.member) }); });
}

introduce();
makeControls();
makeLimits();
makeFront();
listenToButtons();
restore(stateInAddress());
window.addEventListener("hashchange", () => restore(stateInAddress()));
window.addEventListener("resize", () => { if (found) showFront(found.outcome.kind); });
document.documentElement.dataset.ready = "yes";
