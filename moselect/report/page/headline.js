// The choice: what it costs, where that figure holds, how it compares, and how good it is. `side` is
// a candidate with what follows from it: {candidate, cost, confusion, measures, thresholds}.

const SURE = 1.96; // standard errors, of a 95 % interval

function introduce() {
  byId("name").textContent = data.name ?? "Front of ordinal models";
  byId("facts").textContent = [
    counted(data.n_models, "model"), counted(nSamples, "sample"), counted(front.r, "class", "classes"),
    counted(front.p, "feature"), data.target === null ? "" : `target ${data.target}`,
  ].filter(Boolean).join(" · ");
  const notes = data.objectives.filter((each) => each.same_as !== null)
    .map(({ words, same_as: same }) => `Here ${words} is the same as ${data.objectives[same].words}.`);
  if (front.k < data.n_models) {
    notes.push(`Shown are ${grouped(front.k)} of the ${grouped(data.n_models)} models, spread evenly over the front; the cheapest is that of these.`);
  }
  byId("notes").textContent = notes.join(" ");
}

function showHeadline(found, side, setting) {
  const looking = state.look !== null && side !== null;
  const name = side && nameOf(side.candidate.i);
  const within = state.limits.length > 0 ? ", within the limits" : "";
  byId("chosen-kind").textContent = setting ? `Best for new data${within}`
    : looking ? capital(name)
      : side ? `Cheapest in training${within}: ${name}` : "No model meets all limits";
  byId("chosen-cost").textContent = setting ? short(setting.value) : side ? short(side.cost) : "–";
  byId("cost-where").textContent = setting
    ? `expected cost on new data, 95 % interval ${short(setting.interval[0])} to ${short(setting.interval[1])}`
    : `mean cost in training${side?.candidate.cuts ? ", thresholds solved for it" : ""}`;
  byId("chosen-note").textContent = notesOn(found, side, setting, looking).join(" ");
  byId("verdicts").replaceChildren(...(setting?.verdicts ?? []).map((each) => element("li", `${capital(withMinus(each))}.`)));
  byId("model-title").textContent = side ? `The chosen model: ${setting ? "best for new data" : name}` : "The chosen model";
  byId("unlook").hidden = !looking;
  byId("unpin").hidden = state.pin === null;
  byId("download").disabled = side === null;
  byId("pin").disabled = side === null;
  showScale(found, setting);
  showMeasures(side);
}

function notesOn(found, side, setting, looking) {
  if (setting) return [`In training it costs ${short(setting.training)}.`];
  if (side === null) return ["Clear a limit or make it wider."];
  const notes = [];
  if (looking && found.best) notes.push(`The cheapest, ${nameOf(found.best.i)}, costs ${short(found.best.cost)}.`);
  if (side.candidate.broken > 0) notes.push("This model does not meet all limits.");
  notes.push(`This is a training figure, measured on the ${counted(nSamples, "sample")} that the models were fitted to: new data cost more.`);
  for (const { limit, value } of found.missed) {
    notes.push(Number.isNaN(value) ? "Whether the model selected for new data is within the limits is not known."
      : `The model selected for new data is not within the limits: ${valueWords(limit, value)} there.`);
  }
  if (state.limits.length > 0) notes.push("Limits are met in training.");
  for (const limit of state.limits) {
    const j = indexOfKey(limit.key);
    if (j < 0 || !isExpected(side.candidate, j)) continue;
    const value = front.expected[side.candidate.i * front.m + j];
    if (!meets(limit, value)) notes.push(`On new data this model may not meet them: ${valueWords(limit, value)} is expected.`);
  }
  return notes;
}

// The figures on one scale: the choice, its rivals, and always one class.
function showScale(found, setting) {
  const shares = state.priors ? sharesOf(state.priors) : sharesOfData;
  const always = data.classes.map((_, c) => sumOf(found.matrix.map((line, y) => shares[y] * line[c])));
  const cheapest = always.indexOf(Math.min(...always));
  const chosen = found.chosen && {
    name: setting ? "cheapest of the front" : nameOf(found.chosen.i), where: "in training", value: found.chosen.cost, choice: !setting,
  };
  const marks = setting ? [
    { name: "best for new data", value: setting.value, interval: setting.interval, choice: true },
    chosen,
    ...setting.rivals.map((rival) => ({ where: "cross-validated", ...rival })),
  ] : [chosen, { name: `always ${classNames[cheapest]}`, value: always[cheapest] }];
  const shown = marks.filter(Boolean);
  const most = Math.max(...shown.map(({ value, interval }) => interval?.[1] ?? value)) || 1;
  byId("scale").replaceChildren(...shown.map(({ name, where, value, interval, choice }) => {
    const line = element("li", undefined, { class: choice ? "choice" : "rival" });
    const track = element("span", undefined, { class: "track", "aria-hidden": "true" });
    if (interval) {
      const bar = element("span", undefined, { class: "interval" });
      bar.style.setProperty("--from", Math.max(0, interval[0] / most));
      bar.style.setProperty("--to", interval[1] / most);
      track.append(bar);
    }
    const mark = element("span", undefined, { class: "mark" });
    mark.style.setProperty("--at", Math.max(0, value / most));
    track.append(mark);
    const who = element("span", undefined, { class: "who" });
    who.append(term(name, data.glossary[name]), where ? `, ${where}` : "");
    line.append(who, track, element("span", short(value, 3), { class: "value" }));
    return line;
  }));
}

// What a value says, beside what chance reaches.
const SENTENCES = {
  accuracy: (value, chance) => `${outOf(100, value)} of 100 samples get exactly their class; the most common class alone gets ${outOf(100, chance)}.`,
  one_minus_mae: (value, chance) => `Predictions are ${short(1 - value, 2)} classes off on average; always the same class is ${short(1 - chance, 2)} off.`,
  vus: (value, chance) => `One sample drawn from each class: ${short(value / chance, 2)} times as many draws come in the right order as by chance.`,
  u_cons: (value) => `Classes cut into low and high: a high sample scores above a low one ${outOf(100, value)} times of 100; by chance 50.`,
  u_ovo: (value) => `Two samples of different classes, each pair of classes alike: ${outOf(100, value)} of 100 pairs come in the right order; by chance 50.`,
  u_pairs: (value) => `Two samples of different classes: ${outOf(100, value)} of 100 pairs come in the right order; by chance 50.`,
};

const outOf = (all, value) => short(all * Math.max(0, value), 2);

// Each measure, first where it holds for new data, and in plain words.
function showMeasures(side) {
  byId("objective-values").hidden = side === null;
  if (side === null) return;
  const { candidate, measures } = side;
  const at = (table, j) => table[candidate.i * front.m + j];
  const columns = [["in training", (j) => measured(j, measures[j])]];
  if (front.expected) {
    columns.unshift(["new data, 95\u00a0%", (j) => (isExpected(candidate, j)
      ? `${measured(j, at(front.expected, j))} ± ${measured(j, SURE * at(front.expected_se, j))}` : "–")]);
  }
  if (front.holdout) {
    columns.push(["held out", (j) => (candidate.cuts !== null || Number.isNaN(at(front.holdout, j)) ? "–" : measured(j, at(front.holdout, j)))]);
  }
  columns.push(["best", (j) => measured(j, data.objectives[j].best)], ["chance", (j) => measured(j, data.objectives[j].chance)]);
  const body = element("tbody");
  for (const j of distinct) {
    const { key, meaning, chance } = data.objectives[j];
    const name = element("th", undefined, { scope: "row" });
    name.append(term(titles[j], meaning));
    const line = element("tr");
    line.append(name, ...columns.map(([, value]) => element("td", value(j))));
    body.append(line);
    if (!state.shown.includes(j) || !(key in SENTENCES)) continue;
    const value = isExpected(candidate, j) ? at(front.expected, j) : measures[j];
    const sentence = element("tr", undefined, { class: "sentence" });
    sentence.append(element("td", SENTENCES[key](value, chance), { colspan: columns.length + 1 }));
    body.append(sentence);
  }
  byId("objective-values").replaceChildren(heading(["measure", ...columns.map(([name]) => name)]), body);
}
