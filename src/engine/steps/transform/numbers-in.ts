/** A number with its weight: the field `weight` of the nearest enclosing object, else 1. */
export interface WeightedNumber {
  readonly value: number
  readonly weight: number
}

/** Numbers by field. A map, because a field may have any name. */
export type NumbersByField = ReadonlyMap<string, readonly WeightedNumber[]>

/** All numbers inside a value by path; with `fields`, only those whose path equals or ends with one of them. */
export function numbersIn(value: unknown, fields?: readonly string[]): NumbersByField {
  const found = new Map<string, WeightedNumber[]>()

  function add(number: WeightedNumber, path: string): void {
    const name = nameOf(path, fields)
    if (name === undefined) return
    const known = found.get(name)
    if (known === undefined) found.set(name, [number])
    else known.push(number)
  }

  /** Recursion is safe: inputs and outputs are nested at most 200 levels deep. */
  function visit(inner: unknown, path: string, weight: number): void {
    const number = readNumber(inner)
    if (number !== undefined) add({ value: number, weight }, path)
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
