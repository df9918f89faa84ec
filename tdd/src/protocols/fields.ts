/** Reads a value from untrusted JSON. */
export function field(value: unknown, ...path: readonly string[]): unknown {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = (found as Record<string, unknown>)[name]
  }
  return found
}

/** Reads the text at a path; undefined when there is none. */
export function text(value: unknown, ...path: readonly string[]): string | undefined {
  const found = field(value, ...path)
  return typeof found === 'string' && found !== '' ? found : undefined
}

/** The text that an edit would write, by the field names of the assistants. */
export function writtenText(input: unknown): string | undefined {
  for (const name of ['content', 'new_string', 'file_text', 'new_str', 'newString', 'code_edit']) {
    const found = text(input, name)
    if (found !== undefined) return found
  }
  const edits = field(input, 'edits')
  return Array.isArray(edits)
    ? edits.map((edit: unknown) => text(edit, 'new_string') ?? '').join('\n')
    : undefined
}
