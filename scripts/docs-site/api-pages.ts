import type { OpenApiDocument } from '#kernel/http'
import { html } from '#kernel/pages'
import { renderOperations } from '../../src/app/reference-page.ts'
import type { PageContents } from './layout.ts'
import type { SearchEntry } from './search-fields.ts'

export interface ApiPage extends PageContents {
  readonly entries: readonly SearchEntry[]
}

/** The address of the examples: that of a platform with the settings it starts with. */
const origin = 'http://127.0.0.1:3000'

/** A page for each API of the platform, with all its operations. */
export function renderApiPages(document: OpenApiDocument): readonly ApiPage[] {
  return (document.tags ?? []).flatMap(({ name, description = '' }) => {
    const [title = name, ...rest] = description.split('. ')
    const summary = rest.join('. ')
    const operations = renderOperations(document, name, origin)
    if (operations.length === 0) return []
    const page = `reference/api/${name}.html`
    const body = html`<h1 id="${name}">${title}</h1>
<p>${summary} A running platform has this description at <code>/openapi/${name}.yaml</code>.</p>
${operations.map(({ markup }) => markup)}`
    const entries = operations.map((operation) => ({
      id: `${page}#${operation.anchor}`,
      target: `${page}#${operation.anchor}`,
      page: title,
      title: operation.name,
      text: operation.summary,
    }))
    return [{ page, title, summary, body: body.toString(), contents: [], entries }]
  })
}
