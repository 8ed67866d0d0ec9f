// What changed: the decision beside the one that was pinned, or that before the last change.

function showChanges(outcome) {
  const settings = state.pin ?? state.before;
  const was = settings && outcomeAt(settings);
  byId("changes").hidden = !was || (was.kind === outcome.kind && was.decided.every((c, i) => c === outcome.decided[i]));
  if (byId("changes").hidden) return null;
  const [before, now] = [was, outcome].map(({ confusion }) => data.classes.map((_, c) => ofClass(confusion, c)));
  const moved = data.classes.map((_, c) => Math.abs(before[c].found - now[c].found) + Math.abs(before[c].alarms - now[c].alarms));
  const c = moved.indexOf(Math.max(...moved));
  const counts = (what, key) => (before[c][key] === now[c][key] ? "" : `${what} ${grouped(before[c][key])}, now ${grouped(now[c][key])}`);
  const found = counts(`${classNames[c]} found:`, "found");
  byId("changes-words").textContent = [
    was.kind === outcome.kind ? "" : `${capital(was.kind.name)} before, ${outcome.kind.name} now`,
    found && `${found}, of ${grouped(now[c].total)}`, counts(found ? "false alarms" : `${classNames[c]} false alarms:`, "alarms"),
    `at these costs a row costs ${money(was.cost)} before, now ${money(outcome.cost)}`,
  ].filter(Boolean).join("; ");
  tableOfClasses("changes-table", (y, to) => {
    const more = outcome.confusion[y][to] - was.confusion[y][to];
    const cell = element("td", more === 0 ? "·" : `${more > 0 ? "+" : ""}${grouped(more)}`, { class: more === 0 ? "" : (more > 0) === (y === to) ? "better" : "worse" });
    cell.style.setProperty("--share", Math.abs(more) / masses[y]);
    return cell;
  }, outcome.costs[0].length);
  byId("pinned").textContent = state.pin ? `Pinned: ${costsWords(state.pin)}` : `Before: ${costsWords(state.before)}`;
  return was;
}
