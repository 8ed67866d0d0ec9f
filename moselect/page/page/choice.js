// The selection: its cost and results by class, the other candidates, and changes of decisions.

let decimals = 2;

// An amount, with the same number of decimals for all costs.
const money = (value) => withMinus(value.toFixed(decimals));
const withInterval = (outcome) => `${money(outcome.cost)} (${intervalOf(outcome).map(money).join(" to ")})`;
const intervalOf = ({ cost, error }) => [Math.max(0, cost - normalReach * error), cost + normalReach * error];

function showChoice({ outcome, outcomes, free }) {
  const { candidate, cost, limits } = outcome;
  decimals = clamp(2 - Math.floor(Math.log10(cost || 1)), 0, 6);
  const met = limits.every((limit) => limit.met);
  const least = outcomes.every((other) => other.cost >= cost);
  say("choice-title", `Selected: ${candidate.name}${state.candidate === null ? "" : ", by hand"}${least ? ", lowest cost" : ""}`);
  showSentence(outcome, outcomes);
  say("cost", `Mean cost ${withInterval(outcome)}`);
  const baselines = outcomes.filter((other) => other.candidate.baseline && other !== outcome);
  const verdicts = baselines.map((other) => besideWords(outcome, other, other.candidate.name));
  if (free.cost > 0 && limits.length > 0) {
    const ratio = cost / free.cost;
    verdicts.push(isTimes(ratio) ? `the limits multiply the mean cost by ${short(ratio, 2)}`
      : `the limits add ${ratio > 1 ? `${percent(ratio - 1)} %` : "nothing"} to the cost`);
  }
  say("verdicts", `${capital(verdicts.join("; "))}.`);
  byId("accept-box").hidden = met || candidate.document === null;
  byId("download").hidden = candidate.document === null;
  byId("download").disabled = !met && !byId("accept").checked;
  byId("undo-choice").hidden = state.candidate === null;
  say("pin", state.pin ? "Remove the pin" : "Pin to compare");
  say("take-note", takeWords(outcome));
}

// Where to find the file of the selected model.
function takeWords({ candidate, decided }) {
  const isInitial = JSON.stringify({ ...settingsNow(), candidate: null }) === JSON.stringify(initialSettings());
  if (isInitial && candidate.name === data.written?.candidate) return `moselect select wrote this model to ${data.written.file}.`;
  if (candidate.name === data.trivial) return `It needs no model: predict every row as ${answerName(decided[0])}.`;
  return candidate.document ? "" : `This page cannot hold the ${candidate.name}: run ${commandFor(candidate)}`;
}

// Whether a ratio of costs is large enough to be stated as a multiple instead of in percent.
const isTimes = (ratio) => ratio >= 1 + data.times;

// The sentence: the cost relative to proportional odds, and the next best candidate.
function showSentence(outcome, outcomes) {
  const baseline = outcomes.find(({ candidate }) => candidate.baseline && candidate.name !== data.trivial && candidate !== outcome.candidate);
  const next = cheapestOf(outcomes.filter((other) => other !== outcome && !other.candidate.baseline));
  const compared = baseline?.cost > 0 && timesOf(outcome, baseline);
  say("sentence", `${[
    `${capital(outcome.candidate.name)}: mean cost ${money(outcome.cost)}`,
    compared && `, ${besideWords(outcome, baseline, baseline.candidate.name)}`,
    outcome.cost > 0 && `; next best: ${next.candidate.name}, ${besideWords(next, outcome)}`,
  ].filter(Boolean).join("")}.`);
  byId("chip").hidden = !compared; // a baseline that is selected is compared with nothing
  say("chip", compared && `${compared.isClear ? "significant" : "not significant"} (vs ${baseline.candidate.name})`);
  byId("chip").classList.toggle("is-clear", compared.isClear === true);
}

// Counts of a class: rows, hits, referred rows, misses, and false alarms.
function ofClass(confusion, c) {
  const [all, found, referred] = [sumOf(confusion[c]), confusion[c][c], confusion[c][r]];
  const alarms = sumOf(confusion.map((line) => line[c])) - found;
  return { total: all, found, referred, missed: all - found - referred, alarms };
}

function showClasses({ confusion, decided, paid, ratios }, before) {
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
  const others = meanOf(paid.map((cost, i) => (decided[i] === r ? 0 : cost))) / (1 - left) || 0;
  say("referred", refers ? `${percent(left)} % of all rows in use are referred (${state.label}); mean cost of the others: ${money(others)}.` : "");
}

function showKinds(outcome, outcomes) {
  const most = Math.max(...outcomes.map((each) => intervalOf(each)[1])) || 1;
  const part = (contents, name) => element("span", contents, { class: name });
  const scale = part([part("0", ""), part(short(most, 2), "")], "scale");
  fill(byId("candidates"), ["model", "cost", scale, "vs selected", "terms"], outcomes.toSorted((a, b) => a.cost - b.cost).map((each) => {
    const { candidate, cost } = each;
    const take = element("button", candidate.name, { class: "small", value: candidate.name, "aria-pressed": each === outcome });
    const [from, to, at] = [...intervalOf(each), cost].map((value) => value / most);
    const track = element("span", [part([], "interval"), part([], "mark")], { class: "track", "aria-hidden": "true", style: `--from: ${from}; --to: ${to}; --at: ${at}` });
    const beside = each === outcome ? "selected" : besideWords(each, outcome);
    return [take, withInterval(each), track, beside, candidate.terms === null ? "no formula" : grouped(candidate.terms)];
  }));
}

onButtons("candidates", (candidate) => {
  change("candidate", { candidate });
  byId("candidates").querySelector("[aria-pressed=true]").focus();
});

// "43 % more than proportional odds (12 to 70 %)", or, from a threshold on, "4.5 times as much (3.9 to 5.1)"
function besideWords(one, other, baseline = "") {
  if (other.cost === 0) return baseline && `${baseline} costs nothing`;
  const { ratio, low, high } = timesOf(one, other);
  if (isTimes(ratio)) return `${short(ratio, 2)} times ${baseline || "as much"} (${short(low, 2)} to ${short(high, 2)})`;
  const [word, ...shares] = ratio <= 1 ? ["less", 1 - ratio, 1 - high, 1 - low] : ["more", ratio - 1, low - 1, high - 1];
  const [share, from, to] = shares.map(percent);
  return `${share} % ${word}${baseline && ` than ${baseline}`} (${from} to ${to} %)`;
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
    `mean cost at these costs: ${money(meanOf(paidFor(was.decided, outcome.costs)))} before, now ${money(outcome.cost)}`,
  ].filter(Boolean).join("; "));
  tableOfClasses("changes-table", (y, to) => {
    const more = outcome.confusion[y][to] - was.confusion[y][to];
    const name = more === 0 ? "" : (more > 0) === (y === to) ? "better" : "worse";
    return element("td", more === 0 ? "·" : signed(more, grouped(more)), { class: name, style: `--share: ${Math.abs(more) / masses[y]}` });
  }, outcome.costs[0].length);
  say("pinned", `${state.pin ? "Pinned" : "Before"}: ${commandFor(was.candidate, settings)}`);
  return was;
}
