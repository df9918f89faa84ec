import {
  cardRadius,
  cardWidth,
  defaultColours,
  defaultFont,
  type Scheme,
} from '../../../src/tours/player/theme.ts'

/**
 * The styles of the player. They are in the shadow root, where the page's own rules do not apply. The tokens of the theme
 * are `accent`, `on-accent`, `surface`, `text`, `line`, `shade`, `font`, `width` and `radius`. For each, the page's custom
 * property `--tutti-tour-…` on `:root` comes first, then the setting of the site, then the value here.
 */
const tokens = (scheme: Scheme) =>
  Object.entries(defaultColours[scheme])
    .map(([name, value]) => {
      const property = name.replaceAll('_', '-')
      return `--${property}: var(--tutti-tour-${property}, var(--${scheme}-${property}, ${value}));`
    })
    .join('\n  ')

const light = `
  ${tokens('light')}
  --faint: #596069;
  --warning: #8a4b00;
  color-scheme: light;
`

const dark = `
  ${tokens('dark')}
  --faint: #a9b1ba;
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
  --font: var(--tutti-tour-font, var(--site-font, ${defaultFont}));
  --width: var(--tutti-tour-width, var(--site-width, ${cardWidth.default}px));
  --radius: var(--tutti-tour-radius, var(--site-radius, ${cardRadius.default}px));
  ${light}
}
@media (prefers-color-scheme: dark) { :host(:not([data-theme=light])) { ${dark} } }
:host([data-theme=dark]) { ${dark} }

* { box-sizing: border-box; }
[hidden] { display: none !important; }

.shade, .shield { position: absolute; inset: 0; pointer-events: auto; }
.shade { background: var(--shade); }
.shade[data-lit] { background: none; }
.shade[data-open] { pointer-events: none; }
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
  font: 12px/1.4 var(--font);
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
  width: min(var(--width), calc(var(--screen-width, 100vw) - 24px));
  max-height: calc(var(--screen-height, 100vh) - 24px);
  padding: 16px;
  border: 1px solid var(--line);
  border-radius: var(--radius);
  outline: none;
  background: var(--surface);
  box-shadow: 0 8px 28px rgb(0 0 0 / 0.24);
  color: var(--text);
  font: 14px/1.5 var(--font);
  pointer-events: auto;
  text-align: start;
  animation: arrive 160ms ease-out;
}

.arrow {
  position: absolute;
  top: 0;
  left: 0;
  width: 12px;
  height: 12px;
  rotate: 45deg;
  border: 0 solid var(--line);
  background: var(--surface);
  animation: arrive 160ms ease-out;
}
.arrow[data-side=top] { border-width: 0 1px 1px 0; }
.arrow[data-side=bottom] { border-width: 1px 0 0 1px; }
.arrow[data-side=left] { border-width: 1px 1px 0 0; }
.arrow[data-side=right] { border-width: 0 0 1px 1px; }
@keyframes arrive { from { opacity: 0; } }
@media (prefers-reduced-motion: reduce) { .card, .arrow { animation: none; } }

.head { display: flex; align-items: start; gap: 8px; }
h2 { flex: 1; margin: 0; overflow-wrap: anywhere; font-size: 16px; font-weight: 600; line-height: 1.35; }
.body { overflow: auto; overflow-wrap: anywhere; }
.body > :first-child { margin-block-start: 0; }
.body > :last-child { margin-block-end: 0; }
.body p, .body ul, .body ol, .body pre, .body blockquote, .body table { margin-block: 0 8px; }
.body h3, .body h4 { margin-block: 8px 4px; font-size: 14px; }
.body ul, .body ol { padding-inline-start: 20px; }
.body blockquote { margin-inline: 0; padding-inline-start: 10px; border-inline-start: 3px solid var(--line); }
.body code { padding: 1px 4px; border: 1px solid var(--line); border-radius: 4px; font-family: ui-monospace, monospace; font-size: 0.88em; }
.body table { border-collapse: collapse; }
.body th, .body td { padding: 4px 8px; border: 1px solid var(--line); text-align: start; vertical-align: top; }
.body pre code { padding: 0; border: 0; }
.body pre { overflow: auto; padding: 8px; border: 1px solid var(--line); border-radius: 6px; }
.body img, .body video { max-width: 100%; height: auto; border-radius: 6px; }
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
