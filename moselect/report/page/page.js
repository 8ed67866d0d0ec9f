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
  showClasses(outcome, showChanges(outcome));
  showKinds(outcome, outcomes);
  showModel(outcome);
  const own = outcomes.filter(({ kind }) => !kind.rival);
  showFront(outcome.kind, own.reduce((a, b) => (b.cost < a.cost ? b : a)).kind);
  // What takes longer follows when the rest is painted.
  byId("results").setAttribute("aria-busy", "true");
  clearTimeout(laterTimer);
  laterTimer = setTimeout(showLater, 30);
}

let laterTimer = 0;
let caseOf = null; // by which decision the single row was judged last

function showLater() {
  showTradeoffs(found);
  const decisionNow = JSON.stringify([found.outcome.kind.name, found.outcome.solved]);
  if (caseOf !== decisionNow) showCase(found.outcome, found.outcomes);
  caseOf = decisionNow;
  byId("results").setAttribute("aria-busy", "false");
  document.documentElement.dataset.ready = "yes";
}

function follow(settings) {
  const outcomes = data.kinds.map((kind) => outcomeOf(kind, settings));
  const kind = settings.kind === null ? defaultKind(outcomes).kind : kindNamed(settings.kind);
  for (const each of outcomes.filter((one) => one.kind.score)) {
    each.thresholds = thresholdsOf(each.kind, each.solved.map((line) => line.slice(0, r)));
    each.referral = settings.refer && referralAlong(each.kind, each.solved);
  }
  const outcome = outcomes.find((each) => each.kind === kind);
  const without = { ...settings, limits: [] };
  const free = settings.limits.length === 0 ? outcome : settings.kind ? outcomeOf(kind, without)
    : defaultKind(data.kinds.map((each) => outcomeOf(each, without)));
  return { outcome, outcomes, free };
}

// What was pinned, with what it costs at the costs that are set now.
function outcomeAt(settings) {
  const { outcome } = follow(settings);
  const costs = costsInUse(state);
  return { ...outcome, cost: sumOf(outcome.confusion.map((line, y) => sumOf(Array.from(line, (count, c) => count * (costs[y][c] ?? 0))))) / total };
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
    change("pin", { pin: state.pin ? null : { ...settingsNow(), kind: found.outcome.kind.name } });
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
makeTradeoffs();
listenToButtons();
restore(stateInAddress());
window.addEventListener("hashchange", () => restore(stateInAddress()));
window.addEventListener("resize", () => { if (found) update(); });
