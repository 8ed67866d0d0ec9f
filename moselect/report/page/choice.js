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
  byId("cost").textContent = `costs ${withInterval(outcome)}`;
  const price = free.cost > 0 && limits.length > 0 ? [cost > free.cost ? `the limits cost ${percent(cost / free.cost - 1)} %` : "the limits cost nothing"] : [];
  const rivals = outcomes.filter((other) => other.kind.rival && other !== outcome);
  byId("verdicts").textContent = `${capital([...rivals.map((other) => besideWords(outcome, other, ` than ${other.kind.name}`)), ...price].join("; "))}.`;
  byId("accept-box").hidden = met || kind.document === null;
  byId("download").hidden = kind.document === null;
  byId("download").disabled = !met && !byId("accept").checked;
  byId("unkind").hidden = state.kind === null;
  byId("pin").textContent = state.pin ? "Remove the pin" : "Pin to compare";
  const always = classNames[outcome.confusion.findIndex((count) => count > 0) % r];
  byId("take-note").textContent = kind.document ? ""
    : kind.name === data.trivial ? `It needs no model: call every row ${always}.`
      : `A ${kind.name} is written by the command${data.run ? "" : " in Python"}: ${commandFor(kind)}`;
}

// Of a class: its rows, those that are called so, and others that are called so.
function countsOf(confusion, c) {
  const total = sumOf(Array.from(confusion.subarray(c * r, (c + 1) * r)));
  const found = confusion[c * r + c];
  const alarms = sumOf(data.classes.map((_, y) => (y === c ? 0 : confusion[y * r + c])));
  return { total, found, missed: total - found, alarms };
}

function showClasses(outcome, pinned) {
  const lines = data.classes.map((_, c) => {
    const { total, found, missed, alarms } = countsOf(outcome.confusion, c);
    const before = pinned && countsOf(pinned.confusion, c);
    const versus = (key) => before && element("span", ` was ${grouped(before[key])}`, { class: "was" });
    const bar = element("span", undefined, { class: "share-bar", "aria-hidden": "true" });
    bar.style.setProperty("--share", found / (total || 1));
    return { cells: [
      classHead(c, "row"), [`${grouped(found)} of ${grouped(total)}`, versus("found")], bar,
      [grouped(missed), versus("missed")], [grouped(alarms), versus("alarms")],
    ] };
  });
  fill(byId("classes"), ["class", "found", "", "missed", "false alarms"], lines.reverse());
  byId("pinned").textContent = pinned ? `Pinned: ${pinned.kind.name}, which costs ${money(pinned.cost)} at the costs that are set now. ${costsWords(state.pin)}` : "";
}

function showKinds(outcome, outcomes) {
  const most = Math.max(...outcomes.map((each) => intervalOf(each)[1])) || 1;
  const order = [...outcomes].sort((a, b) => a.cost - b.cost);
  fill(byId("kinds"), ["kind", "cost", "", "beside the selected", "terms"], order.map((each) => {
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
      each === outcome ? "selected" : besideWords(each, outcome), each.kind.terms === null ? "no sum" : grouped(each.kind.terms),
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
