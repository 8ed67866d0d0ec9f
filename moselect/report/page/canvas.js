// What the charts share: a canvas as wide as its box, colours of the style, scales, and drags.

import { byId, element } from "./dom.js";

export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

export function pen(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const drawn = canvas.getContext("2d");
  drawn.scale(ratio, ratio);
  return drawn;
}

// Two canvases in the box of a chart: what is drawn seldom, and what moves upon it.
export function layers(id) {
  const made = ["ground", "upper"].map((name) => element("canvas", undefined, { class: name, "aria-hidden": "true" }));
  byId(id).append(...made);
  return made;
}

export function font(size, weight = 400) {
  return `${weight} ${size}px ${getComputedStyle(document.body).fontFamily}`;
}

// Text of at most `width` pixels, its middle left out.
export function write(drawn, text, x, y, width) {
  let shown = text;
  const letters = [...text];
  for (let kept = letters.length - 1; kept > 1 && drawn.measureText(shown).width > width; kept--) {
    shown = `${letters.slice(0, Math.ceil(kept / 2)).join("")}…${letters.slice(letters.length - Math.floor(kept / 2)).join("")}`;
  }
  drawn.fillText(shown, x, y);
}

export function extent(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low < high) return [low, high];
  const room = Math.abs(low) * 0.01 || 0.01; // one value only: a narrow scale around it
  return [low - room, high + room];
}

// Round values between two ends, and how to write them.
export function ticks(low, high, most) {
  const rough = (high - low) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].find((each) => each * power >= rough) * power;
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9) + (Math.abs(step / power - 2.5) < 1e-9 ? 1 : 0));
  const values = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) values.push(i * step);
  return values.map((value) => ({ value, text: value.toFixed(Math.min(12, digits)).replace("-", "−") }));
}

// Tell of drags of a mouse or pen: `began(x, y)` says whether one may begin, `moved` and `ended`
// hear of both corners. Fingers scroll; a tap and a click are heard as `clicked`.
export function listen(chart, { began, moved, ended, clicked, hovered, left }) {
  let start = null;
  const at = (event) => {
    const box = chart.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const far = ([x, y]) => start !== null && Math.hypot(x - start[0], y - start[1]) >= 5;
  let dragging = false;
  const stop = () => { start = null; dragging = false; };
  chart.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch" || event.button !== 0) return;
    const [x, y] = at(event);
    if (!began(x, y)) return;
    start = [x, y];
    chart.setPointerCapture(event.pointerId);
    event.preventDefault(); // no text is marked
  });
  chart.addEventListener("pointermove", (event) => {
    const place = at(event);
    if (start === null) {
      if (event.pointerType !== "touch") hovered?.(...place);
      return;
    }
    dragging ||= far(place);
    if (dragging) moved(start, place);
  });
  chart.addEventListener("pointerup", (event) => {
    if (start !== null && dragging) ended(start, at(event));
    chart.dataset.dragged = dragging ? "yes" : "";
    stop();
  });
  chart.addEventListener("pointercancel", () => { if (dragging) moved(null, null); stop(); });
  chart.addEventListener("pointerleave", () => { if (start === null) left?.(); });
  chart.addEventListener("click", (event) => {
    if (chart.dataset.dragged !== "yes") clicked(...at(event));
    chart.dataset.dragged = "";
  });
}
