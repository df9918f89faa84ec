/** A sample text, so that the first run needs no typing. */
const sampleText =
  'Tutti means all together. In music it is the moment when every instrument plays at once, after the soloists had their turn.'

/** A context with an empty value at each path the flow reads, and the sample text. */
export function sampleContext(paths: readonly string[]): Record<string, unknown> {
  const context: Record<string, unknown> = { content: sampleText }
  for (const path of paths) {
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
    place[last] ??= ''
  }
  return context
}
