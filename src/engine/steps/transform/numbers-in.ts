/** Numbers by the field they stand in. A map: a field may be called anything. */
export type NumberByField = ReadonlyMap<string, readonly number[]>

/** Every number inside a value, by its path; with fields, those whose path is one of them or ends with it. */
export function numbersIn(value: unknown, fields?: readonly string[]): NumberByField {
  const found = new Map<string, number[]>()

  function note(number: number, path: string): void {
    const name = nameOf(path, fields)
    if (name === undefined) return
    const known = found.get(name)
    if (known === undefined) found.set(name, [number])
    else known.push(number)
  }

  /** What callers and steps bring is nested two hundred levels deep at most. */
  function visit(inner: unknown, path: string): void {
    const number = readNumber(inner)
    if (number !== undefined) note(number, path)
    if (typeof inner !== 'object' || inner === null) return
    // Items of a list share the name of the list.
    if (Array.isArray(inner)) for (const item of inner as readonly unknown[]) visit(item, path)
    else for (const [key, part] of Object.entries(inner)) visit(part, path === '' ? key : `${path}.${key}`)
  }

  visit(value, '')
  return found
}

function nameOf(path: string, fields: readonly string[] | undefined): string | undefined {
  if (fields === undefined) return path === '' ? 'value' : path
  return (
    fields.find((field) => path === field || path.endsWith(`.${field}`)) ??
    (path.endsWith('weight') ? 'weight' : undefined)
  )
}

function readNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  const isWritten = typeof value === 'string' && /^\s*-?\d{1,15}(\.\d{1,15})?\s*$/.test(value)
  return isWritten ? Number(value) : undefined
}
