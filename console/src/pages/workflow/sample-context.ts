/** A sample text, so that the first run needs no typing. */
const sampleText =
  'Tutti means all together. In music it is the moment when every instrument plays at once, after the soloists had their turn.'

/** Sample values by the last name of their path. */
const known: Readonly<Record<string, string>> = {
  audience: 'beginners',
  content: sampleText,
  country: 'Germany',
  date: '2026-01-31',
  email: 'jane@example.com',
  language: 'German',
  name: 'Jane',
  target_audience: 'beginners',
  target_language: 'German',
  text: sampleText,
  title: 'All together',
  tone: 'friendly',
  topic: 'music',
  url: 'https://example.com/',
}

/** A path that a flow reads, and what it expects there. */
interface Read {
  readonly path: string
  readonly kind: 'text' | 'number' | 'list'
}

/** The sample input that the author gave, else a context for the paths the flow reads. */
export function inputOf(
  metadata: object,
  paths: readonly (string | Read)[],
): Readonly<Record<string, unknown>> {
  const given: unknown = Reflect.get(metadata, 'sample_input')
  return typeof given === 'object' && given !== null && !Array.isArray(given)
    ? (given as Readonly<Record<string, unknown>>)
    : sampleContext(paths)
}

/** A context with a value at each path the flow reads, and the sample text. */
export function sampleContext(paths: readonly (string | Read)[]): Record<string, unknown> {
  const context: Record<string, unknown> = { content: sampleText }
  for (const read of paths) {
    const { path, kind } = typeof read === 'string' ? { path: read, kind: 'text' as const } : read
    const parts = path.replace(/^context\./, '').split('.')
    const last = parts.pop()
    if (last === undefined || path === 'content') continue
    let place = context
    for (const part of parts) {
      const below = place[part]
      const next: Record<string, unknown> =
        typeof below === 'object' && below !== null ? (below as Record<string, unknown>) : {}
      place[part] = next
      place = next
    }
    place[last] ??= sampleOf(last, kind)
  }
  return context
}

function sampleOf(name: string, kind: Read['kind']): unknown {
  if (kind === 'number') return 50
  if (kind === 'list') return ['first', 'second']
  return Object.hasOwn(known, name) ? known[name] : ''
}
