/** Everything at a path of an output; lists on the way are gone through. Without a path, the output itself. */
export function valuesAt(output: unknown, path: string | undefined): unknown[] {
  if (path === undefined) return [output]
  return path
    .split('.')
    .reduce<unknown[]>((found, name) => found.flatMap((value) => [valueOf(value, name)].flat(1)), [output])
}

function valueOf(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.flatMap((each: unknown) => [valueOf(each, name)].flat(1))
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return []
  return (value as Record<string, unknown>)[name]
}

/** The texts in a value, however deep. Numbers count as they are written, for they may be what a text is about. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(textsIn)
}
