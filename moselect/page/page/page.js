// The page: rendering, and updates on changes of the state.

let found = null; // what follows from the state: the outcomes of all candidates, and the selected one
let laterTimer = 0;
let caseOf = null; // the decision that predicted the single row last

function update() {
  const problem = problemOf(state);
  say("costs-error", problem); // while one is said, page.css hides all figures
  for (const show of showFields) show();
  for (const id of ["costs-line-box", "class-costs-box"]) byId(id).hidden = state.matrix !== null;
  byId("matrix-note").hidden = state.matrix === null;
  byId("matrix-box").open ||= state.matrix !== null;
  byId("use-priors").checked = state.priors !== null;
  byId("undo").disabled = undone.length === 0;
  if (problem) return;
  found = follow(state);
  const { outcome, outcomes } = found;
  showChoice(outcome);
  showLimits(outcome);
  byId("command").replaceChildren(...commandFor(outcome.candidate).split(" ").flatMap((word) => [element("span", word), " "]).slice(0, -1));
  byId("save-costs").hidden = state.matrix === null || data.run === null;
  say("copied", "");
  showClasses(outcome, showChanges(outcome));
  showKinds(outcome, outcomes);
  byId("groups-box").hidden = !outcome.isReported || data.result.groups.length === 0;
  showModel(outcome);
  showFront(outcome, outcomes);
  // Slow parts follow once the rest is painted.
  byId("results").ariaBusy = "true";
  clearTimeout(laterTimer);
  laterTimer = setTimeout(() => {
    showTradeoffs(found);
    const decisionNow = JSON.stringify([outcome.candidate.name, outcome.solved]);
    if (caseOf !== decisionNow) showCase(outcome, outcomes);
    caseOf = decisionNow;
    byId("results").ariaBusy = "false";
    document.documentElement.dataset.ready = "yes";
  }, 30);
}

function follow(settings) {
  const outcomes = data.candidates.map((each) => outcomeOf(each, settings));
  for (const each of outcomes.filter((one) => one.candidate.score)) {
    each.thresholds = (each.isReported && data.result.thresholds) || thresholdsOf(each.candidate, each.solved);
    each.along = settings.refer ? answersAlong(each.candidate, each.solved) : { cuts: each.thresholds, codes: upTo(r) };
  }
  const isTaken = ({ candidate, isReported }) => (settings.candidate === null ? isReported : candidate.name === settings.candidate);
  return { outcome: outcomes.find(isTaken) ?? defaultKind(outcomes), outcomes };
}

async function copy(words) {
  const done = await navigator.clipboard?.writeText(words).then(() => true, () => false);
  say("copied", done ? "Copied." : "The browser does not let this page copy: mark the text and press Ctrl+C.");
}

on("download", "click", () => save(modelDocument(found.outcome), "model.json", "application/json"));
on("accept", "change", update);
on("undo-choice", "click", () => { change("candidate", { candidate: null }); byId("pin").focus(); });
on("pin", "click", () => change("pin", { pin: state.pin ? null : settingsFound() }));
on("copy", "click", () => copy(byId("command").textContent));
on("link", "click", () => { keepAddress(); copy(location.href); });
on("save-costs", "click", () => save(matrixOf(state).map((line) => `${line}\n`).join(""), "costs.csv", "text/csv"));
on("undo", "click", () => {
  restore(undone.pop());
  lastChange.what = "";
  keepAddress();
  if (byId("undo").disabled) byId("pin").focus();
});
window.addEventListener("hashchange", restoreAddress);
window.addEventListener("resize", update);
restoreAddress();
