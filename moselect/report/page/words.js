// Explanations: one sentence on hover, focus and touch, and a glossary of all of them.

import { data } from "./data.js";
import { byId, element } from "./dom.js";
import { distinct } from "./state.js";
import { titles } from "./numbers.js";

// A word that explains itself; without a meaning it is plain text.
export function term(text, meaning) {
  if (!meaning) return element("span", text);
  const made = element("button", text, { type: "button", class: "term", "aria-describedby": "tip" });
  made.dataset.meaning = meaning;
  return made;
}

export function makeWords() {
  const tip = byId("tip");
  const show = (target) => {
    const meaning = target?.dataset?.meaning;
    tip.hidden = !meaning;
    if (!meaning) return;
    tip.textContent = meaning;
    const box = target.getBoundingClientRect();
    tip.style.left = `${Math.max(8, Math.min(box.left, innerWidth - tip.offsetWidth - 8))}px`;
    const under = box.bottom + 6;
    tip.style.top = `${under + tip.offsetHeight > innerHeight ? box.top - tip.offsetHeight - 6 : under}px`;
  };
  const wordAt = (event) => (event.target instanceof Element ? event.target.closest("[data-meaning]") : null);
  for (const kind of ["pointerover", "focusin", "click"]) {
    document.addEventListener(kind, (event) => show(wordAt(event)));
  }
  document.addEventListener("focusout", () => show(null));
  document.addEventListener("scroll", () => show(null), { passive: true, capture: true });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") show(null); });
  const list = byId("glossary");
  const entries = [...distinct.map((j) => [titles[j], data.objectives[j].meaning]), ...Object.entries(data.glossary)];
  for (const [word, meaning] of entries) {
    if (meaning) list.append(element("dt", word), element("dd", meaning));
  }
}
