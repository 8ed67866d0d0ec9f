// One model: what it predicts, which scores mean which class, and its file.

const BARS = 40; // of a histogram of scores

function sideOf(candidate, cost) {
  const confusion = confusionOf(candidate);
  return {
    candidate,
    cost,
    confusion,
    measures: data.objectives.map((_, j) => measureOf(candidate, j, confusion)),
    thresholds: thresholdsOf(candidate),
  };
}

// Counts, shaded by their shares of the true class, or differences of counts with a largest one.
function confusionTable(confusion, largest = null) {
  const table = element("table", undefined, { class: front.r > MANY ? "confusion many" : "confusion" });
  return tableOfClasses(table, (y, c) => {
    const count = confusion[y * front.r + c];
    const share = count / (largest ?? (sumOf(row(confusion, front.r, y)) || 1));
    const cell = element("td", largest ? signed(count, grouped(count)) : grouped(count));
    if (!largest) cell.title = `${(100 * share).toFixed(1)} % of this class`;
    cell.style.setProperty("--share", Math.abs(share));
    cell.classList.toggle("right", c === y);
    cell.classList.toggle("less", share < 0);
    return cell;
  });
}

function showModel(side, setting) {
  byId("model-none").hidden = side !== null;
  byId("model-parts").hidden = side === null;
  if (side === null) return;
  byId("confusion").parentElement.classList.toggle("wide", front.r > MANY);
  byId("confusion-title").textContent = `What it predicts${setting ? " on new data, cross-validated" : ", in training"}`;
  byId("confusion").replaceChildren(confusionTable(setting ? Int32Array.from(setting.confusion) : side.confusion));
  const body = element("tbody");
  data.classes.forEach((name, c) => {
    const line = element("tr");
    line.append(named("th", classNames[c], name, { scope: "row" }), element("td", scoresOf(side.thresholds, c)));
    body.append(line);
  });
  byId("thresholds").replaceChildren(heading(["class", "score"]), body);
  byId("strip").hidden = nCuts === 0;
  if (nCuts > 0) requestAnimationFrame(() => drawStrip(byId("strip"), side)); // once its width is known
  byId("weights").replaceChildren(weightBars([side.candidate.i]));
}

function scoresOf(thresholds, c) {
  const [low, high] = [thresholds[c - 1] ?? -Infinity, thresholds[c] ?? Infinity];
  if (low === high) return "never";
  return [low > -Infinity ? `above ${short(low, 6)}` : "", high < Infinity ? `up to ${short(high, 6)}` : ""].filter(Boolean).join(", ");
}

// Where the classes lie along the score, as histograms, and the thresholds.
function drawStrip(canvas, { candidate: { i }, thresholds }) {
  const line = Math.max(16, Math.min(30, 240 / front.r));
  const [left, width, height] = [84, canvas.parentElement.clientWidth, line * front.r + 24];
  const room = width - left - 8;
  const drawn = pen(canvas, width, height);
  const [low, high] = extent(row(front.cuts, nCuts, i));
  const toX = (score) => left + inside((score - low) / (high - low), 0, 1) * room;
  const densities = densitiesOf(i, low, high);
  const tallest = Math.max(...densities.flat());
  drawn.font = font(11);
  drawn.textBaseline = "middle";
  densities.forEach((values, y) => {
    const floor = line * (y + 1) - 2;
    drawn.fillStyle = colour("model");
    values.forEach((value, bar) => {
      const size = (value / tallest) * (line - 4);
      drawn.fillRect(left + (bar / BARS) * room, floor - size, room / BARS, size);
    });
    drawn.fillStyle = colour("muted");
    drawn.textAlign = "left";
    write(drawn, classNames[y], 0, floor - line / 2 + 2, left - 8);
  });
  drawn.fillStyle = colour("chosen");
  for (const threshold of thresholds) drawn.fillRect(toX(threshold) - 1, 0, 2, line * front.r);
  drawn.fillStyle = colour("muted");
  drawn.textAlign = "center";
  for (const { value, text } of ticks(low, high, Math.max(2, Math.floor(width / 110)))) {
    drawn.fillText(text, Math.min(width - 20, toX(value)), height - 8);
  }
}

// The share of each class in each bar; samples between two cuts stand in the middle.
function densitiesOf(i, low, high) {
  const cuts = row(front.cuts, nCuts, i);
  const samples = countsOf(i);
  return data.classes.map((_, y) => {
    const values = new Array(BARS).fill(0);
    for (let c = 1; c < nCuts; c++) {
      const middle = ((cuts[c - 1] + cuts[c]) / 2 - low) / (high - low);
      values[Math.min(BARS - 1, Math.floor(middle * BARS))] += samples[c * front.r + y] / masses[y];
    }
    return values;
  });
}

// The document of `moselect predict`. Labels and names stand in `data.document` as Python wrote
// them: 1.0 stays 1.0, and long integers keep their digits.
function modelDocument(side, found) {
  const { i, cuts } = side.candidate;
  const own = {
    thresholds: side.thresholds,
    coef: Array.from(row(front.weights, front.p, i)),
    about: {
      ...data.about,
      front_index: data.indices[i],
      thresholds: cuts === null ? "of the search" : "solved for the costs",
      cost_matrix: found.matrix,
      priors: state.priors && sharesOf(state.priors),
      limits: state.limits,
      training_cost: side.cost,
    },
  };
  return `${data.document.slice(0, -1)}, ${JSON.stringify(own).slice(1)}\n`;
}

function save(text, name, type) {
  const link = element("a", undefined, { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
