import { html, Markup } from './html.ts'
import { pageStyles } from './styles.ts'

export interface PageOptions {
  readonly title: string
  /** Must be the nonce of the page's content security policy. */
  readonly nonce: string
  readonly body: Markup
  /** `narrow` for a form in the middle of the screen, `wide` for something to read. */
  readonly width: 'narrow' | 'wide'
  /** Further styles of this page alone. */
  readonly styles?: string
}

/** Renders a page that needs no script and looks like the console, light or dark as the reader prefers. */
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
