// A pinned model beside the chosen one.

function showComparison(pinned, chosen) {
  byId("comparison").hidden = !pinned || !chosen;
  if (!pinned || !chosen) return;
  byId("compared").textContent = `${capital(nameOf(pinned.candidate.i))} (pinned) and ${nameOf(chosen.candidate.i)} (chosen)`;
  compareMeasures(pinned, chosen);
  const difference = chosen.confusion.map((count, cell) => count - pinned.confusion[cell]);
  const largest = Math.max(1, ...difference.map(Math.abs));
  const parts = [
    ["pinned", confusionTable(pinned.confusion)],
    ["chosen", confusionTable(chosen.confusion)],
    ["chosen − pinned", confusionTable(difference, largest)],
  ].map(([name, table]) => {
    const part = element("div", undefined, { class: "scroll", tabindex: 0, role: "region", "aria-label": `Predictions, ${name}` });
    part.append(element("h4", name), table);
    return part;
  });
  byId("compared-confusions").classList.toggle("wide", front.r > MANY);
  byId("compared-confusions").replaceChildren(...parts);
  byId("compared-weights").replaceChildren(weightBars([pinned.candidate.i, chosen.candidate.i]));
}

function compareMeasures(pinned, chosen) {
  const body = element("tbody");
  const add = (name, ...cells) => {
    const line = element("tr");
    line.append(element("th", name, { scope: "row" }), ...cells.map((cell) => element("td", cell)));
    body.append(line);
  };
  const change = chosen.cost - pinned.cost;
  add("cost in training", short(pinned.cost), short(chosen.cost), signed(change, short(change, 3)), ...(front.expected ? [""] : []));
  for (const j of distinct) {
    if (![pinned, chosen].every(({ candidate }) => isExpected(candidate, j))) {
      const [a, b] = [pinned.measures[j], chosen.measures[j]];
      add(titles[j], measured(j, a), measured(j, b), signed(b - a, measured(j, b - a)), ...(front.expected ? ["in training"] : []));
      continue;
    }
    const [a, b] = [pinned, chosen].map((side) => side.candidate.i * front.m + j);
    const [apart, reach] = [front.expected[b] - front.expected[a], SURE * Math.hypot(front.expected_se[a], front.expected_se[b])];
    const text = (at) => `${measured(j, front.expected[at])} ± ${measured(j, SURE * front.expected_se[at])}`;
    add(titles[j], text(a), text(b), signed(apart, measured(j, apart)), Math.abs(apart) <= reach ? "cannot be told apart" : "differ");
  }
  byId("compared-measures").replaceChildren(heading(["measure", "pinned", "chosen", "difference", ...(front.expected ? ["on new data"] : [])]), body);
  byId("compared-note").textContent = front.expected
    ? "Measures with 95 % intervals are those expected on new data."
    : "All figures are those of training: whether the two differ on new data is not known here.";
}
