// What the charts share: a canvas as wide as its box, colours of the style, scales, and drags.

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function pen(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const drawn = canvas.getContext("2d");
  drawn.scale(ratio, ratio);
  return drawn;
}

const inside = (value, low, size) => Math.max(low, Math.min(low + size, value));

function font(size, weight = 400) {
  return `${weight} ${size}px ${getComputedStyle(document.body).fontFamily}`;
}

// Text of at most `width` pixels, its middle left out.
function write(drawn, text, x, y, width) {
  let shown = text;
  for (let longest = [...text].length - 1; longest > 2 && drawn.measureText(shown).width > width; longest--) {
    shown = shortName(text, longest);
  }
  drawn.fillText(shown, x, y);
}

function extent(values) {
  const [low, high] = values.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, -Infinity]);
  if (low < high) return [low, high];
  const room = Math.abs(low) * 0.01 || 0.01; // one value only: a narrow scale around it
  return [low - room, high + room];
}

// Round values between two ends, and how to write them.
function ticks(low, high, most) {
  const rough = (high - low) / Math.max(1, most);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((each) => each * power >= rough) * power;
  const digits = Math.max(0, Math.min(12, -Math.floor(Math.log10(step) + 1e-9)));
  const values = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) values.push(i * step);
  return values.map((value) => ({ value, text: withMinus(value.toFixed(digits)) }));
}

// Tell of drags of a mouse or pen: `began(place)` says whether one may begin, `moved` and `ended`
// hear of both corners. Fingers scroll; a tap and a click are heard as `clicked`.
function listen(chart, { began, moved, ended, clicked, hovered }) {
  let start = null;
  let dragging = false;
  const at = (event) => {
    const box = chart.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  chart.addEventListener("pointerdown", (event) => {
    dragging = false;
    if (event.pointerType === "touch" || event.button !== 0 || !began(at(event))) return;
    start = at(event);
    chart.setPointerCapture(event.pointerId);
    event.preventDefault(); // no text is marked
  });
  chart.addEventListener("pointermove", (event) => {
    const place = at(event);
    if (start === null) hovered(place);
    else if (dragging || Math.hypot(place[0] - start[0], place[1] - start[1]) >= 5) {
      dragging = true;
      moved(start, place);
    }
  });
  chart.addEventListener("pointerup", (event) => {
    if (start !== null && dragging) ended(start, at(event));
    start = null;
  });
  chart.addEventListener("pointerleave", () => { if (start === null) hovered(null); });
  chart.addEventListener("click", (event) => { if (!dragging) clicked(at(event)); });
}
