// The selection: its cost and results by class, the other candidates, and changes of decisions.

let decimals = 2;

// An amount, with the same number of decimals for all costs.
const money = (value) => withMinus(value.toFixed(decimals));
// A difference of costs, to which no correction for the selection applies.
const moreWords = (difference) => (money(difference) === money(0) ? "the same" : `${money(Math.abs(difference))} ${difference < 0 ? "less" : "more"}`);
const withInterval = (outcome) => `${money(outcome.cost)} (${intervalOf(outcome).map(money).join(" to ")})`;
const intervalOf = ({ cost, error }) => [Math.max(0, cost - normalReach * error), cost + normalReach * error];

// The sentences are those of the report for the selection it was made for, and no comparison for another.
function showChoice(outcome) {
  const { candidate, cost, limits, isReported } = outcome;
  decimals = clamp(2 - Math.floor(Math.log10(cost || 1)), 0, 6);
  const met = limits.every((limit) => limit.met);
  say("choice-title", `Selected: ${candidate.name}${state.candidate === null ? "" : ", by hand"}`);
  const [first, ...others] = isReported ? data.result.sentences
    : [`${capital(candidate.name)}: mean cost ${withInterval(outcome)}`, "Figures at these settings are not corrected for model selection."];
  say("sentence", first);
  say("verdicts", others.join(" "));
  byId("accept-box").hidden = met || candidate.document === null;
  byId("download").hidden = candidate.document === null;
  byId("download").disabled = !met && !byId("accept").checked;
  byId("undo-choice").hidden = state.candidate === null;
  say("pin", state.pin ? "Remove the pin" : "Pin to compare");
  say("take-note", takeWords(outcome));
}

// Where to find the file of the selected model.
function takeWords({ candidate, decided, isReported }) {
  if (isReported && data.result.file) return `moselect select wrote this model to ${data.result.file}.`;
  if (candidate.name === data.trivial) return `It needs no model: predict every row as ${answerName(decided[0])}.`;
  return candidate.document ? "" : `This page cannot hold the ${candidate.name}: run ${commandFor(candidate)}`;
}

// Counts of a class: rows, hits, referred rows, misses, and false alarms.
function ofClass(confusion, c) {
  const [all, found, referred] = [sumOf(confusion[c]), confusion[c][c], confusion[c][r]];
  const alarms = sumOf(confusion.map((line) => line[c])) - found;
  return { total: all, found, referred, missed: all - found - referred, alarms };
}

function showClasses({ confusion, ratios }, before) {
  const refers = state.refer !== null;
  const order = upTo(r);
  if (!isLowestCostlier(state)) order.reverse(); // the costliest class first
  fill(byId("classes"), ["class", "found", "recall", "missed", "false alarms", ...(refers ? ["referred"] : [])], order.map((c) => {
    const [own, was] = [ofClass(confusion, c), before && ofClass(before.confusion, c)];
    const cell = (key, words = "") => [
      grouped(own[key]) + words, ...(was && was[key] !== own[key] ? [element("span", ` was ${grouped(was[key])}`, { class: "was" })] : []),
    ];
    const recall = own.found / (own.total || 1);
    const bar = element("span", [], { class: "share-bar", "aria-hidden": "true", style: `--share: ${recall}` });
    return [answerHead(c), cell("found", ` of ${grouped(own.total)}`), [bar, ` ${percent(recall)} %`], cell("missed"), cell("alarms"), ...(refers ? [cell("referred")] : [])];
  }));
  const left = sumOf(confusion.map((line, y) => line[r] * ratios[y])) / total;
  say("referred", refers ? `${percent(left)} % of all rows in use are referred (${state.label}).` : "");
}

// Candidates and baselines: the lines of the report, or, at other settings, outcomes without correction.
function showKinds(outcome, outcomes) {
  const lines = outcome.isReported ? data.result.lines : outcomes.toSorted((a, b) => a.cost - b.cost).map((each) => ({
    ...each, cells: [each.candidate.name, withInterval(each), each === outcome ? "selected" : savedWords(outcome, each), each.candidate.terms === null ? "" : grouped(each.candidate.terms)],
  }));
  const most = Math.max(...lines.map((line) => intervalOf(line)[1])) || 1;
  const part = (contents, name) => element("span", contents, { class: name });
  const scale = part([part("0", ""), part(short(most, 2), "")], "scale");
  const [model, ...heads] = outcome.isReported ? data.result.heads : ["model", "mean cost", "saved, not corrected", "parameters"];
  fill(byId("candidates"), [model, scale, ...heads], lines.map(({ cells: [name, ...cells], ...line }) => {
    const isKnown = outcomes.some(({ candidate }) => candidate.name === name);
    const take = element("button", name, { class: "small", value: name, "aria-pressed": name === outcome.candidate.name });
    const [from, to, at] = [...intervalOf(line), line.cost].map((value) => value / most);
    const track = element("span", [part([], "interval"), part([], "mark")], { class: "track", "aria-hidden": "true", style: `--from: ${from}; --to: ${to}; --at: ${at}` });
    return [isKnown ? take : name, track, ...cells];
  }));
}

onButtons("candidates", (candidate) => {
  change("candidate", { candidate });
  byId("candidates").querySelector("[aria-pressed=true]").focus();
});

// Share of the cost of another candidate that the selected one saves, with its interval.
function savedWords(outcome, other) {
  if (other.cost === 0) return "";
  const [share, low, high] = savingOf(outcome, other).map(percent);
  return `${share} % (${low} to ${high} %)`;
}

// Changes of decisions from the pinned settings, or from before the last change.
function showChanges(outcome) {
  const settings = state.pin ?? state.before;
  const was = settings && follow(settings).outcome;
  byId("changes").hidden = !was || (was.candidate === outcome.candidate && was.decided.every((c, i) => c === outcome.decided[i]));
  if (byId("changes").hidden) return null;
  const [before, now] = [was, outcome].map(({ confusion }) => upTo(r).map((c) => ofClass(confusion, c)));
  const moved = now.map(({ found, alarms }, c) => Math.abs(before[c].found - found) + Math.abs(before[c].alarms - alarms));
  const c = moved.indexOf(Math.max(...moved));
  const counts = (what, key) => (before[c][key] === now[c][key] ? "" : `${what} ${grouped(before[c][key])}, now ${grouped(now[c][key])}`);
  const found = counts(`${classNames[c]} found:`, "found");
  say("changes-words", [
    was.candidate === outcome.candidate ? "" : `${capital(was.candidate.name)} before, ${outcome.candidate.name} now`,
    found && `${found}, of ${grouped(now[c].total)}`, counts(found ? "false alarms" : `${classNames[c]} false alarms:`, "alarms"),
    `mean cost at these costs: ${moreWords(outcome.cost - meanOf(paidFor(was.decided, outcome.costs)))}`,
  ].filter(Boolean).join("; "));
  tableOfClasses("changes-table", (y, to) => {
    const more = outcome.confusion[y][to] - was.confusion[y][to];
    const name = more === 0 ? "" : (more > 0) === (y === to) ? "better" : "worse";
    return element("td", more === 0 ? "·" : signed(more, grouped(more)), { class: name, style: `--share: ${Math.abs(more) / masses[y]}` });
  }, outcome.costs[0].length);
  say("pinned", `${state.pin ? "Pinned" : "Before"}: ${commandFor(was.candidate, settings)}`);
  return was;
}
