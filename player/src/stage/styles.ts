/**
 * The styles of the player. They are in the shadow root, where the page's own rules do not apply; a page sets its colours
 * with custom properties on `:root`: `--tutti-tour-accent`, `--tutti-tour-on-accent`, `--tutti-tour-font`.
 */
const light = `
  --surface: #fff;
  --text: #1c2126;
  --faint: #596069;
  --line: #d5d9de;
  --accent: var(--tutti-tour-accent, #2457c5);
  --on-accent: var(--tutti-tour-on-accent, #fff);
  --shade: rgb(15 20 25 / 0.5);
  --warning: #8a4b00;
  color-scheme: light;
`

const dark = `
  --surface: #22272d;
  --text: #eceff2;
  --faint: #a9b1ba;
  --line: #434a53;
  --accent: var(--tutti-tour-accent, #8fb4ff);
  --on-accent: var(--tutti-tour-on-accent, #10182a);
  --shade: rgb(0 0 0 / 0.62);
  --warning: #ffc274;
  color-scheme: dark;
`

export const styles = `
:host {
  all: initial !important;
  position: fixed !important;
  inset: 0 !important;
  display: block !important;
  width: auto !important;
  height: auto !important;
  overflow: hidden !important;
  pointer-events: none !important;
  z-index: 2147483647 !important;
  zoom: var(--unzoomed, 1) !important;
  ${light}
}
@media (prefers-color-scheme: dark) { :host(:not([data-theme=light])) { ${dark} } }
:host([data-theme=dark]) { ${dark} }

* { box-sizing: border-box; }
[hidden] { display: none !important; }

.shade, .shield { position: absolute; inset: 0; pointer-events: auto; }
.shade { background: var(--shade); }
.shade[data-lit] { background: none; }
.shield { cursor: crosshair; outline: none; }

.spot {
  position: absolute;
  inset-block-start: 0;
  left: 0;
  border-radius: 6px;
  box-shadow: 0 0 0 200vmax var(--shade);
  outline: 2px solid var(--accent);
  outline-offset: 1px;
}

.outline {
  position: absolute;
  top: 0;
  left: 0;
  border-radius: 3px;
  outline: 2px solid var(--accent);
  background: color-mix(in srgb, var(--accent) 14%, transparent);
}
.outline > span {
  position: absolute;
  bottom: 100%;
  left: -2px;
  max-width: 60vw;
  overflow: hidden;
  padding: 2px 6px;
  border-radius: 3px 3px 0 0;
  background: var(--accent);
  color: var(--on-accent);
  font: 12px/1.4 var(--tutti-tour-font, system-ui, sans-serif);
  text-overflow: ellipsis;
  white-space: nowrap;
}
.outline[data-below] > span { top: 100%; bottom: auto; border-radius: 0 0 3px 3px; }

.card {
  position: absolute;
  top: 0;
  left: 0;
  display: flex;
  flex-direction: column;
  gap: 8px;
  width: min(360px, calc(100vw - 24px));
  max-height: calc(100vh - 24px);
  padding: 16px;
  border: 1px solid var(--line);
  border-radius: 10px;
  outline: none;
  background: var(--surface);
  box-shadow: 0 8px 28px rgb(0 0 0 / 0.24);
  color: var(--text);
  font: 14px/1.5 var(--tutti-tour-font, system-ui, sans-serif);
  pointer-events: auto;
  text-align: start;
  animation: arrive 160ms ease-out;
}
.card.aside { top: auto; left: auto; inset-block-end: 12px; inset-inline-end: 12px; }
@keyframes arrive { from { opacity: 0; } }
@media (prefers-reduced-motion: reduce) { .card { animation: none; } }

.head { display: flex; align-items: start; gap: 8px; }
h2 { flex: 1; margin: 0; overflow-wrap: anywhere; font-size: 16px; font-weight: 600; line-height: 1.35; }
.body { overflow: auto; overflow-wrap: anywhere; }
.body > :first-child { margin-block-start: 0; }
.body > :last-child { margin-block-end: 0; }
.body p, .body ul, .body ol, .body pre, .body blockquote { margin-block: 0 8px; }
.body h3, .body h4 { margin-block: 8px 4px; font-size: 14px; }
.body ul, .body ol { padding-inline-start: 20px; }
.body blockquote { margin-inline: 0; padding-inline-start: 10px; border-inline-start: 3px solid var(--line); }
.body code { padding: 1px 4px; border: 1px solid var(--line); border-radius: 4px; font-family: ui-monospace, monospace; font-size: 0.88em; }
.body pre code { padding: 0; border: 0; }
.body pre { overflow: auto; padding: 8px; border: 1px solid var(--line); border-radius: 6px; }
.body a { color: var(--accent); text-decoration: underline; }
.note { margin: 0; color: var(--faint); font-size: 13px; overflow-wrap: anywhere; }
.note.warning { color: var(--warning); }
.foot { display: flex; flex-wrap: wrap; align-items: center; justify-content: end; gap: 8px; }
.count { flex: 1; color: var(--faint); font-size: 13px; font-variant-numeric: tabular-nums; white-space: nowrap; }

button {
  min-height: 32px;
  padding: 4px 12px;
  border: 1px solid var(--line);
  border-radius: 6px;
  background: transparent;
  color: var(--text);
  cursor: pointer;
  font: inherit;
}
button.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600; }
button.close { min-width: 32px; margin: -6px -6px 0 0; padding: 0; border-color: transparent; font-size: 18px; line-height: 1; }
:host([dir=rtl]) button.close { margin: -6px 0 0 -6px; }
button:focus-visible, a:focus-visible, .body:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
button[aria-disabled=true] { opacity: 0.55; cursor: default; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

@media (forced-colors: active) {
  .spot, .outline { outline-color: Highlight; }
  .shade { background: none; }
}
`
