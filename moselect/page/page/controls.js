// The controls of costs: for each class, cell by cell, and the shares of the classes in use.

// A field of a cost or share; while it holds no number it is left as it is.
const bindCost = (field, get, set, digits = 12) => bind(field, () => (
  Number.isNaN(get()) || field.valueAsNumber === get() ? field.value : Number(get().toPrecision(digits))
), () => change("costs", set(field.valueAsNumber)));

for (const label of document.querySelectorAll(".label")) label.textContent = classNames[data.classes.indexOf(label.title)];
document.querySelectorAll(".slider").forEach(({ children: [, slider, exact] }, c) => {
  const [least, most] = [Number(slider.min), Number(slider.max)]; // in decades; at the left end stands 0
  const [get, place] = [() => state.classCosts[c], () => clamp(Math.log10(state.classCosts[c] || 0), least, most)];
  const set = (cost) => ({ classCosts: state.classCosts.with(c, cost), matrix: null });
  bindCost(slider, place, (at) => set(at <= least ? 0 : Number((10 ** at).toPrecision(2))));
  showFields.push(() => { slider.ariaValueText = state.classCosts[c]; });
  bindCost(exact, get, set);
});
document.querySelectorAll(".share").forEach(({ children: [, share] }, c) => {
  const shares = () => state.priors ?? sharesOfData;
  const get = () => Number((100 * shares()[c]).toPrecision(4));
  bindCost(share, get, (percents) => ({ priors: shares().with(c, percents / 100) }));
});
tableOfClasses("cost-matrix", (y, c) => {
  const label = `Cost of predicting ${data.classes[c]} for true class ${data.classes[y]}`;
  const field = element("input", [], { type: "number", min: 0, step: "any", required: "", "aria-label": label });
  const set = (cost) => ({ matrix: matrixOf(state).with(y, matrixOf(state)[y].with(c, cost)) });
  return bindCost(field, () => matrixOf(state)[y][c], set, 6);
});
showFields.push(() => { // as wide as the longest cost
  const fields = [...byId("cost-matrix").querySelectorAll("input")];
  byId("cost-matrix").style.setProperty("--digits", Math.max(...fields.map(({ value }) => value.length)));
});
if (isLowestCostlier(state)) among.value = classNames[0];
offerClasses();
showFields.push(() => { document.querySelector(`[name="loss"][value="${state.loss}"]`).checked = true; });
on("losses", "change", ({ target }) => change("loss", { loss: target.value, matrix: null }));
bind(byId("costs-line"), () => state.classCosts.map((cost) => Number(cost.toPrecision(6))).join(","), (line) => {
  const costs = readCosts(line.value);
  line.ariaInvalid = costs ? null : "true";
  byId("line-error").hidden = costs !== null;
  if (costs) change("costs", { classCosts: costs, matrix: null });
});
onButtons("presets", (costs) => change("preset", { classCosts: readCosts(costs), matrix: null }));
bind(byId("refer"), () => state.refer && Math.max(...state.refer), ({ valueAsNumber: cost }) => {
  change("refer", { refer: Number.isNaN(cost) ? null : data.classes.map(() => cost) });
});
on("use-priors", "change", ({ target }) => change("shares", { priors: target.checked ? sharesOfData : null }));
on("by-class", "click", () => change("matrix", { matrix: null }));
on("reset", "click", () => change("reset", { ...initialSettings(), limits: state.limits, candidate: state.candidate }));

// A word as a shell reads it.
const quoted = (words) => (/^[\w@%+=:,./-]+$/.test(words) ? words : `'${words.replaceAll("'", "'\"'\"'")}'`);

// Equivalent command for the same model: in Python or, for a run folder, in a shell.
function commandFor(candidate, settings = state) {
  const { matrix, classCosts, loss, limits, refer, label } = settings;
  const person = refer && (new Set(refer).size > 1 ? refer : refer[0]);
  const priors = settings.priors && sharesOf(settings.priors).map((share) => Number(share.toPrecision(12)));
  const given = [ // each by its argument, and by those of the shell
    matrix && ["cost_matrix", matrix, "--cost-matrix costs.csv"],
    !matrix && ["class_costs", classCosts, `--class-costs ${classCosts}`],
    !matrix && ["loss", loss, loss === "absolute" ? "" : `--loss ${loss}`],
    priors && ["priors", priors, `--priors ${priors}`],
    limits.length > 0 && [
      "limits", Object.fromEntries(limits.map(({ name, most }) => [name, most])),
      limits.map(({ name, most }) => `--limit ${quoted(`${name}:${most}`)}`).join(" "),
    ],
    limits.length > 0 && data.confidence !== null && [
      "confidence", data.confidence, `--confidence ${data.confidence}`,
    ],
    person !== null && ["refer", { [label]: person }, `--refer ${quoted(`${label}:${person}`)}`],
    ["model", candidate.name, `--model ${quoted(candidate.name)} -o model.${candidate.document ? "json" : "npz"}`],
  ].filter(Boolean);
  return data.run === null ? `search.select(${given.map(([name, value]) => `${name}=${JSON.stringify(value)}`).join(", ")})`
    : [`moselect select ${data.run}`, ...given.map(([, , words]) => words)].filter(Boolean).join(" ");
}
