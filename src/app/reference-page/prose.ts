import { html, type Markup } from '#kernel/pages'

/** A sentence in which what stands between backticks is shown as code. */
export function prose(text: string | undefined): Markup | undefined {
  if (text === undefined) return undefined
  return html`${text.split('`').map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : piece))}`
}
