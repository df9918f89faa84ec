/** A number, and how much it counts: as the field `weight` of the nearest object around it says, else 1. */
export interface WeightedNumber {
  readonly value: number
  readonly weight: number
}

/** Numbers by the field they stand in. A map: a field may be called anything. */
export type NumbersByField = ReadonlyMap<string, readonly WeightedNumber[]>

/** Every number inside a value, by its path; with fields, those whose path is one of them or ends with it. */
export function numbersIn(value: unknown, fields?: readonly string[]): NumbersByField {
  const found = new Map<string, WeightedNumber[]>()

  function note(number: WeightedNumber, path: string): void {
    const name = nameOf(path, fields)
    if (name === undefined) return
    const known = found.get(name)
    if (known === undefined) found.set(name, [number])
    else known.push(number)
  }

  /** What callers and steps bring is nested two hundred levels deep at most. */
  function visit(inner: unknown, path: string, weight: number): void {
    const number = readNumber(inner)
    if (number !== undefined) note({ value: number, weight }, path)
    if (typeof inner !== 'object' || inner === null) return
    if (Array.isArray(inner)) {
      // Items of a list share the name of the list.
      for (const item of inner as readonly unknown[]) visit(item, path, weight)
      return
    }
    const own = Object.hasOwn(inner, 'weight') ? readNumber((inner as { weight: unknown }).weight) : undefined
    for (const [key, part] of Object.entries(inner))
      visit(part, path === '' ? key : `${path}.${key}`, own ?? weight)
  }

  visit(value, '', 1)
  return found
}

function nameOf(path: string, fields: readonly string[] | undefined): string | undefined {
  if (fields === undefined) return path === '' ? 'value' : path
  return fields.find((field) => path === field || path.endsWith(`.${field}`))
}

function readNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  const isWritten = typeof value === 'string' && /^\s*-?\d{1,15}(\.\d{1,15})?\s*$/.test(value)
  return isWritten ? Number(value) : undefined
}
