// Draws the pictures of the three ways to begin a game, as SVG in thin gold lines.

import { h } from "../../vendor/preact.js";

const line = (d, more = {}) => h("path", { d, ...more });
const soft = { class: "soft" };

const PICTURES = {
  camera: () => [
    line("M14 84 34 58h92l20 26Z"),
    line("M28 58V14a6 6 0 0 1 6-6h40"),
    line("M68 4h24v9H68Z", { class: "filled" }),
    line("M80 13 44 74M80 13l36 61", soft),
    line("M46 74c4-8 12-8 16 0M98 74c4-8 12-8 16 0"),
    line("M74 66h12v8H74Z", { class: "filled" }),
  ],
  hand: () => [
    line("M36 8h88a6 6 0 0 1 6 6v58a6 6 0 0 1-6 6H36a6 6 0 0 1-6-6V14a6 6 0 0 1 6-6Z"),
    line("M44 20h16v16H44ZM72 20h16v16H72ZM100 20h16v16h-16ZM44 48h16v16H44ZM100 48h16v16h-16Z", soft),
    line("M72 48h16v16H72Z", { class: "filled" }),
    line("M84 90V58a5 5 0 0 1 10 0v16l14 4c4 1 6 4 5 8l-1 4"),
  ],
  demo: () => [
    line("M20 10h120v70H20Z"),
    line("M44 72l10-20h52l10 20Z", soft),
    line("M66 24v32l30-16Z", { class: "filled" }),
    line("M20 88h120"),
  ],
};

// Render the picture of "camera", "hand" or "demo".
export function wayPicture(name) {
  return h("svg", { class: "way-picture", viewBox: "0 0 160 94", "aria-hidden": "true" }, PICTURES[name]());
}
