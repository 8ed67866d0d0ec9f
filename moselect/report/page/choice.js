// The choice: what it does to each class on new data, what it costs, and what others cost.

let decimals = 2;

function introduce() {
  byId("name").textContent = data.name ?? "Choose an ordinal model";
  byId("facts").textContent = [
    `${data.target ?? "classes"}: ${data.classes.join(" < ")}`, counted(data.n_samples, "row"), counted(data.n_columns, "column"),
    "set costs and limits, see what follows on new data, take the model",
  ].join(" · ");
  byId("cost-where").textContent = n < data.n_samples
    ? `a row on new data, from ${grouped(n)} of the rows by models that never saw them`
    : "a row on new data: each row is judged by models that never saw it";
}

// An amount with as many decimals as all costs that are shown.
const money = (value) => withMinus(value.toFixed(decimals));
const withInterval = (outcome) => `${money(outcome.cost)} (${intervalOf(outcome).map(money).join(" to ")})`;
const intervalOf = ({ cost, error }) => [Math.max(0, cost - data.reach * error), cost + data.reach * error];

function showChoice({ outcome, outcomes, free }) {
  const { kind, cost, limits } = outcome;
  decimals = Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(cost || 1))));
  const least = outcomes.every((other) => other.cost >= cost);
  const met = limits.every((limit) => limit.met);
  byId("choice-title").textContent = `Selected: ${kind.name}${state.kind === null ? "" : ", by hand"}${least ? ", which costs least" : ""}`;
  const { words, chip } = sentenceOf(outcome, outcomes);
  byId("sentence").textContent = words;
  byId("chip").textContent = chip;
  byId("chip").className = chip === "clear" ? "chip is-clear" : "chip";
  byId("cost").textContent = `costs ${withInterval(outcome)}`;
  const price = free.cost > 0 && limits.length > 0 ? [cost > free.cost ? `the limits cost ${percent(cost / free.cost - 1)} %` : "the limits cost nothing"] : [];
  const rivals = outcomes.filter((other) => other.kind.rival && other !== outcome);
  byId("verdicts").textContent = `${capital([...rivals.map((other) => besideWords(outcome, other, ` than ${other.kind.name}`)), ...price].join("; "))}.`;
  byId("accept-box").hidden = met || kind.document === null;
  byId("download").hidden = kind.document === null;
  byId("download").disabled = !met && !byId("accept").checked;
  byId("unkind").hidden = state.kind === null;
  byId("pin").textContent = state.pin ? "Remove the pin" : "Pin to compare";
  const always = answerName(outcome.decided[0]);
  byId("take-note").textContent = kind.document ? ""
    : kind.name === data.trivial ? `It needs no model: call every row ${always}.`
      : `A ${kind.name} is written by the command${data.run ? "" : " in Python"}: ${commandFor(kind)}`;
}

// What can be repeated: the cost beside proportional odds, and the kind that comes next.
const FRACTIONS = [[1 / 4, "a quarter"], [1 / 3, "a third"], [1 / 2, "half"], [2 / 3, "two thirds"]];
function shareWords(saving) {
  const share = Math.abs(saving);
  if (share < 0.005) return "as much as";
  return `${FRACTIONS.find(([value]) => Math.abs(value - share) < 0.02)?.[1] ?? `${percent(share)} %`} ${saving > 0 ? "less" : "more"} than`;
}

function sentenceOf(outcome, outcomes) {
  const rival = outcomes.find(({ kind }) => kind.rival && kind.name !== data.trivial && kind !== outcome.kind);
  const others = outcomes.filter((other) => other !== outcome && !other.kind.rival);
  const next = others.length > 0 && others.reduce((a, b) => (b.cost < a.cost ? b : a));
  const parts = [`${capital(outcome.kind.name)}: ${money(outcome.cost)} a row`];
  let chip = "within noise";
  if (rival && rival.cost > 0) {
    const [saving, low, high] = savingOver(outcome, rival);
    if (low > 0 || high < 0) chip = "clear";
    parts[0] += `, ${shareWords(saving)} ${rival.kind.name}${chip === "clear" ? "" : " (within noise)"}`;
  }
  if (next && next.cost > 0) {
    const [saving, low, high] = savingOver(next, outcome);
    const better = saving > 0 ? "better" : "worse";
    parts.push(`${next.kind.name} is ${low > 0 || high < 0 ? better : `no ${better} within noise`}`);
  }
  return { words: `${parts.join("; ")}.`, chip };
}

// Of a class: its rows, those that are called so, those left to a person, and others that are called so.
function ofClass(confusion, c) {
  const total = sumOf(Array.from(confusion[c]));
  const [found, referred] = [confusion[c][c], confusion[c][r]];
  const alarms = sumOf(confusion.map((line, y) => (y === c ? 0 : line[c])));
  return { total, found, referred, missed: total - found - referred, alarms };
}

function showClasses(outcome, before) {
  const refers = state.refer !== null;
  const lines = data.classes.map((_, c) => {
    const own = ofClass(outcome.confusion, c);
    const was = before && ofClass(before.confusion, c);
    const cell = (key, words = grouped(own[key])) => [words, was && was[key] !== own[key] && element("span", ` was ${grouped(was[key])}`, { class: "was" })].filter(Boolean);
    const bar = element("span", undefined, { class: "share-bar", "aria-hidden": "true" });
    bar.style.setProperty("--share", own.found / (own.total || 1));
    return { cells: [
      classHead(c, "row"), cell("found", `${grouped(own.found)} of ${grouped(own.total)}`), bar, cell("missed"), cell("alarms"), ...(refers ? [cell("referred")] : []),
    ] };
  });
  fill(byId("classes"), ["class", "found", "", "missed", "false alarms", ...(refers ? [`left to a person`] : [])], lines.reverse());
  const left = sumOf(outcome.confusion.map((line) => line[r])) / total;
  byId("referred").textContent = refers ? `${percent(left)} % of the rows are left to a person (${state.label}); a mistake on the others costs ${money(sumOf(Array.from(outcome.decided, (c, i) => (c === r ? 0 : weights[i] * outcome.paid[i]))) / ((1 - left) * total) || 0)} a row.` : "";
}

function showKinds(outcome, outcomes) {
  const most = Math.max(...outcomes.map((each) => intervalOf(each)[1])) || 1;
  const order = [...outcomes].sort((a, b) => a.cost - b.cost);
  const scale = element("th", element("span", [element("span", "0"), element("span", short(most, 2))], { class: "scale" }), { scope: "col" });
  fill(byId("kinds"), ["kind", "cost", scale, "beside the selected", "terms"], order.map((each) => {
    const button = element("button", each.kind.name, { type: "button", class: "small", "aria-pressed": each === outcome });
    button.addEventListener("click", () => {
      change("kind", { kind: each.kind.name });
      byId("kinds").querySelector("[aria-pressed=true]").focus();
    });
    const [low, high] = intervalOf(each);
    const track = element("span", [element("span", undefined, { class: "interval" }), element("span", undefined, { class: "mark" })], { class: "track", "aria-hidden": "true" });
    for (const [name, value] of [["--from", low], ["--to", high], ["--at", each.cost]]) track.style.setProperty(name, value / most);
    return { class: each === outcome ? "is-chosen" : "", cells: [
      element("th", button, { scope: "row" }), withInterval(each), track,
      each === outcome ? "selected" : besideWords(each, outcome), each.kind.terms === null ? "no formula" : grouped(each.kind.terms),
    ] };
  }));
}

// "43 % more than proportional odds (12 to 70 %)"
function besideWords(one, other, than = "") {
  if (other.cost === 0) return than && `${other.kind.name} costs nothing`;
  const [saving, low, high] = savingOver(one, other);
  return saving >= 0 ? `${percent(saving)} % less${than} (${percent(low)} to ${percent(high)} %)`
    : `${percent(-saving)} % more${than} (${percent(-high)} to ${percent(-low)} %)`;
}
