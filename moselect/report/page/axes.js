// Drawings, and two axes to draw in.

const ROOM = { left: 46, right: 10, top: 8, foot: 22 };

function drawing(tag, attributes, contents = []) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...contents);
  return made;
}

// Round values between two ends, at most so many.
function ticks(low, high, most) {
  const power = 10 ** Math.floor(Math.log10((high - low) / most));
  const step = [1, 2, 5, 10].find((each) => (high - low) / (each * power) <= most) * power;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => (first + i) * step);
}

// The places of values in a picture that is as wide as its element, and the grid of its axes.
function frameOf(id, [across, up], height, widest) {
  const width = Math.max(240, Math.min(widest, byId(id).clientWidth || 300)); // 0 before a frame is laid out
  const [foot, right] = [height - ROOM.foot, width - ROOM.right];
  const scale = ([low, high], start, end) => (value) => start + ((value - low) / (high - low || 1)) * (end - start);
  const [toX, toY] = [scale(across, ROOM.left, right), scale(up, foot, ROOM.top)];
  const clip = (value, axis) => Math.max([across, up][axis][0], Math.min([across, up][axis][1], value));
  const text = (words, attributes) => drawing("text", attributes, [words]);
  const grid = [
    ...ticks(...across, width / 80).flatMap((x) => [drawing("line", { x1: toX(x), x2: toX(x), y1: ROOM.top, y2: foot }), text(short(x), { x: toX(x), y: foot + 16, class: "middle" })]),
    ...ticks(...up, 5).flatMap((y) => [drawing("line", { x1: ROOM.left, x2: right, y1: toY(y), y2: toY(y) }), text(short(y), { x: ROOM.left - 6, y: toY(y) + 4, class: "end" })]),
  ];
  const fromX = (x) => clip(scale([ROOM.left, right], ...across)(x), 0);
  const fromY = (y) => clip(scale([foot, ROOM.top], ...up)(y), 1);
  return { width, toX, toY, fromX, fromY, clip, grid };
}

// A picture with what stands up above it, and what stands across below.
function showFramed(id, [across, up], { width }, height, contents, attributes = {}) {
  const svg = drawing("svg", { width, height, role: "img", "aria-label": `${up} over ${across}`, ...attributes }, contents);
  byId(id).replaceChildren(element("p", `↑ ${up}`, { class: "axis" }), svg, element("p", `${across} →`, { class: "axis across" }));
}
