// Drawings, and two axes to draw in.

const ROOM = { left: 46, right: 10, top: 8, foot: 22 };
// Where names stand beside their marks: the first place that is free.
const SHIFTS = [-12, 22, ...[27, 42, 57, 72, 87, 102].flatMap((far) => [-far, far + 10])];

const drawing = (tag, attributes, contents) => element(tag, contents, attributes, document.createElementNS("http://www.w3.org/2000/svg", tag));
const stroke = (x1, y1, x2, y2, name = "") => drawing("line", { x1, y1, x2, y2, class: name });
const text = (x, y, words, name = "") => drawing("text", { x, y, class: name }, words);
const clamp = (value, low, high) => Math.max(low, Math.min(high, value));
const scaled = ([low, high], [start, end]) => (value) => start + ((value - low) / (high - low || 1)) * (end - start);
const pointsOf = (pairs, toX, toY) => pairs.map(([x, y]) => `${toX(x).toFixed(1)},${toY(y).toFixed(1)}`).join(" ");

// Round values between two ends, at most so many.
function ticks(low, high, most) {
  const power = 10 ** Math.floor(Math.log10((high - low) / most));
  const step = [1, 2, 5, 10].find((each) => (high - low) / (each * power) <= most) * power;
  const first = Math.ceil(low / step);
  return upTo(Math.floor(high / step) - first + 1).map((i) => (first + i) * step);
}

// Axes as wide as their element: scales, and a function that shows them with lines, which end at the
// frame, and marks. `pull` takes the values under the pointer while dragging.
function frameOf(id, [across, up], [low, high], height, widest) {
  const box = byId(id);
  const width = clamp(box.clientWidth || 300, 240, widest); // 0 before a frame is laid out
  const [{ left, top }, foot, right] = [ROOM, height - ROOM.foot, width - ROOM.right];
  const [toX, toY] = [scaled(low, [left, right]), scaled(high, [foot, top])];
  const grid = [
    ...ticks(...low, width / 80).flatMap((x) => [stroke(toX(x), top, toX(x), foot), text(toX(x), foot + 16, short(x))]),
    ...ticks(...high, 5).flatMap((y) => [stroke(left, toY(y), right, toY(y)), text(left - 6, toY(y) + 4, short(y), "end")]),
  ];
  const [fromX, fromY] = [scaled([left, right], low), scaled([top, foot], high.toReversed())];
  const plot = { x: left, y: top, width: right - left, height: foot - top };
  const show = (lines, marks, pull) => {
    const inFrame = drawing("svg", { ...plot, viewBox: Object.values(plot).join(" ") }, lines);
    const words = { role: "img", "aria-label": `${up} over ${across}` };
    const svg = drawing("svg", { width, height, viewBox: `0 0 ${width} ${height}`, ...words }, [...grid, inFrame, ...marks]);
    box.replaceChildren(element("p", `↑ ${up}`, { class: "axis" }), svg, element("p", `${across} →`, { class: "axis across" }));
    box.onpointerdown = box.onpointermove = pull && (({ buttons, clientX, clientY }) => {
      if (buttons !== 1) return;
      const place = box.querySelector("svg").getBoundingClientRect();
      pull(fromX(clientX - place.left), fromY(clientY - place.top));
    });
  };
  return { width, foot, toX, toY, show };
}

// Labels beside marks, the selected one first, that cover neither each other nor occupied places.
function namesOf(marks, { width, foot }, taken = []) {
  return marks.toReversed().map(({ name, x, y, ours }) => {
    const half = 4 * name.length; // of its width, about
    const middle = clamp(x, ROOM.left + half, width - half);
    const away = SHIFTS.find((shift) => y + shift === clamp(y + shift, 12, foot - 4) && taken.every((other) => (
      Math.abs(other.at - y - shift) > 13 || Math.abs(other.middle - middle) > half + other.half
    ))) ?? 22;
    taken.push({ middle, half, at: y + away });
    return text(middle, y + away, name, ours ? "name ours" : "name");
  });
}
