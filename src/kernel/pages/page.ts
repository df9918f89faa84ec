import { html, Markup } from './html.ts'

interface PageOptions {
  readonly title: string
  /** Must be the nonce of the page's content security policy. */
  readonly nonce: string
  readonly body: Markup
  /** `narrow` for a centred form, `wide` for text. */
  readonly width: 'narrow' | 'wide'
  /** Additional styles of this page. */
  readonly styles?: string
}

/** Renders a page in the style of the console, without scripts, light or dark as the browser prefers. Does not throw. */
export function renderPage({ title, nonce, body, width, styles = '' }: PageOptions): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Tutti</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style nonce="${nonce}">${new Markup(pageStyles + styles)}</style>
</head>
<body class="${width}">
${body}
</body>
</html>
`.toString()
}

/** The styles of all server-rendered pages, in the console's colours. */
const pageStyles = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f7f8fa, #0f1114);
  --surface: light-dark(#ffffff, #15181c);
  --line: light-dark(#e4e6eb, #262a31);
  --line-strong: light-dark(#cdd0d9, #3a3f49);
  --text: light-dark(#1a1d24, #e6e8ec);
  --quiet: light-dark(#505663, #a7adb9);
  --accent: light-dark(#3b55c8, #93a7f8);
  --accent-ground: #3b55c8;
  --wrong: light-dark(#b8242c, #f98079);
  --right: light-dark(#17744a, #52c48d);
  --code: light-dark(#f1f2f6, #1c2026);
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--ground); color: var(--text);
  font: 14px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
body.narrow { display: grid; place-items: center; min-height: 100vh; padding: 16px; }
body.narrow main { width: 100%; max-width: 360px; }
h1 { font-size: 20px; line-height: 1.3; margin: 0 0 16px; font-weight: 600; }
h2 { font-size: 16px; margin: 32px 0 8px; font-weight: 600; }
p { margin: 0 0 12px; }
a { color: var(--accent); }
code, pre { font: 13px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
code { background: var(--code); border-radius: 4px; padding: 1px 4px; }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 8px; padding: 24px; }
.quiet { color: var(--quiet); }
.brand { display: flex; align-items: center; gap: 8px; margin: 0 0 16px; color: var(--text); }
.brand svg { display: block; }
label { display: block; font-weight: 600; font-size: 13px; margin: 0 0 4px; }
input {
  width: 100%; height: 36px; padding: 0 12px; margin: 0 0 16px; font: inherit; color: inherit;
  background: var(--ground); border: 1px solid var(--line); border-radius: 6px;
}
button {
  width: 100%; height: 36px; font: inherit; font-weight: 600; color: #fff; cursor: pointer;
  background: var(--accent-ground); border: 0; border-radius: 6px;
}
button:hover { filter: brightness(1.1); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.alert { border: 1px solid var(--wrong); color: var(--wrong); border-radius: 6px; padding: 8px 12px; margin: 0 0 16px; }
@media (prefers-reduced-motion: no-preference) { button { transition: filter .1s; } }
`

/** Logo and name, as in the console. */
export const brand = html`<svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true">
<rect width="32" height="32" rx="7" fill="#3b55c8"/>
<path d="M12 8v11.5a4.5 4.5 0 0 0 4.5 4.5M17 8v7.5a4.5 4.5 0 0 0 4.5 4.5M7.5 13h17" fill="none" stroke="#fff"
 stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/>
</svg><svg width="50" height="24" viewBox="0 0 50 24" fill="none" stroke="currentColor" stroke-width="2.1"
 stroke-linecap="round" stroke-linejoin="round" role="img" aria-label="Tutti">
<path d="M5.5 5v10.2a3.3 3.3 0 0 0 3.3 3.3h.7M2.5 9.2h6.7"/>
<path d="M14 9.2v5.6a3.7 3.7 0 0 0 7.4 0V9.2m0 5.6v3.7"/>
<path d="M29 5v10.2a3.3 3.3 0 0 0 3.3 3.3h.5M37.5 5v10.2a3.3 3.3 0 0 0 3.3 3.3h.7M26 9.2h15.2"/>
<path d="M46.5 9.2v9.3"/>
<circle cx="46.5" cy="5.1" r="1.35" fill="currentColor" stroke="none"/>
</svg>`
