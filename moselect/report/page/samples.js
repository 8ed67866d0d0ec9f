// The samples of the search, where the page was made with them: which change class between two
// models.

import { data, front, row } from "./data.js";
import { byId, element, heading, named } from "./dom.js";
import { classNames } from "./model.js";
import { counted, short } from "./numbers.js";
import { fullNames, sharesOfScore, termNames } from "./weights.js";

const ROWS = 20; // before all are asked for
const FEATURES = 3; // of the greatest shares in the score, to recognise samples by

let all = false;
let shown = [null, null];

export function introduceSamples() {
  byId("holds-samples").hidden = data.rows === null;
  if (data.rows === null) return;
  byId("holds-samples").textContent = `This page holds the ${counted(data.rows.length, "sample")} of the search with their `
    + "features and classes: pass it on only if you may pass on the data.";
  byId("more-changes").addEventListener("click", () => {
    all = !all;
    showChanges(...shown);
  });
}

// Class codes: the number of thresholds below the score.
export function classesBy({ candidate: { i }, thresholds }) {
  const weights = row(front.weights, front.p, i);
  return data.rows.map((_, s) => {
    const features = row(front.sampleFeatures, front.p, s);
    let score = 0;
    for (let j = 0; j < front.p; j++) score += weights[j] * features[j];
    return thresholds.filter((threshold) => threshold < score).length;
  });
}

export function showChanges(pinned, chosen) {
  shown = [pinned, chosen];
  byId("changed").hidden = data.rows === null;
  byId("more-changes").hidden = true;
  if (data.rows === null) {
    byId("changes-note").textContent = "This page holds no samples. With the samples, as moselect report --with-samples "
      + "makes it, it lists those that change class here.";
    return;
  }
  const [before, after] = [classesBy(pinned), classesBy(chosen)];
  const changed = data.rows.map((_, s) => s).filter((s) => before[s] !== after[s]);
  const right = changed.filter((s) => after[s] === front.sampleCodes[s]).length;
  const wrong = changed.filter((s) => before[s] === front.sampleCodes[s]).length;
  byId("changes-note").textContent = `${counted(changed.length, "sample")} of ${data.rows.length}: `
    + `${right} become right, ${wrong} become wrong, ${changed.length - right - wrong} stay wrong. Rows have their labels in the `
    + "table, or are counted from 0.";
  const features = greatest(chosen.candidate.i);
  const body = element("tbody");
  for (const s of all ? changed : changed.slice(0, ROWS)) body.append(line(s, before[s], after[s], features));
  byId("changed").replaceChildren(heading([
    "row", "true", "pinned", "chosen", "change", ...features.map((t) => named("th", termNames[t], fullNames[t], { scope: "col" })),
  ]), body);
  byId("more-changes").hidden = changed.length <= ROWS;
  byId("more-changes").textContent = all ? "Show the first" : `Show all ${changed.length}`;
}

// The terms of the greatest shares that are one column each.
function greatest(i) {
  const shares = sharesOfScore(i);
  return data.terms.map((_, t) => t).filter((t) => data.terms[t].size === 1)
    .sort((a, b) => Math.abs(shares[b]) - Math.abs(shares[a])).slice(0, FEATURES);
}

function line(s, before, after, features) {
  const truth = front.sampleCodes[s];
  const made = element("tr");
  const verdict = after === truth ? "now right" : before === truth ? "now wrong" : "still wrong";
  made.append(
    element("th", data.rows[s], { scope: "row" }),
    ...[truth, before, after].map((c) => named("td", classNames[c], data.classes[c])),
    element("td", verdict, { class: verdict === "now wrong" ? "error" : "" }),
    ...features.map((t) => element("td", short(front.sampleFeatures[s * front.p + data.terms[t].start]))),
  );
  return made;
}
