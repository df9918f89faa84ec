/** Numbers by the field they stand in. */
export type NumberByField = Readonly<Record<string, readonly number[]>>

const mostNumbers = 10_000

/** Every number inside a value, by its path; with fields, those whose path is one of them or ends with it. */
export function numbersIn(value: unknown, fields?: readonly string[]): NumberByField {
  const found: Record<string, number[]> = {}
  const toVisit: { readonly value: unknown; readonly path: string }[] = [{ value, path: '' }]
  let count = 0
  for (let next = toVisit.shift(); next !== undefined && count < mostNumbers; next = toVisit.shift()) {
    const { value: inner, path } = next
    const number = readNumber(inner)
    const name = number === undefined ? undefined : nameOf(path, fields)
    if (number !== undefined && name !== undefined) {
      found[name] = [...(found[name] ?? []), number]
      count += 1
    }
    if (typeof inner !== 'object' || inner === null) continue
    const isList = Array.isArray(inner)
    for (const [key, part] of Object.entries(inner)) {
      // Items of a list share the name of the list.
      toVisit.push({ value: part, path: isList ? path : path === '' ? key : `${path}.${key}` })
    }
  }
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
