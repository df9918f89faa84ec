/** The fields of an object that have a value, one by one. */
export function* ownEntries(value: object): Iterable<[string, unknown]> {
  const record = value as Record<string, unknown>
  // Not Object.entries: an object of a million fields is left after the first few.
  for (const key in record) {
    if (Object.hasOwn(record, key) && record[key] !== undefined) yield [key, record[key]]
  }
}

/** `__proto__` is an ordinary field of parsed JSON; plain assignment would lose it. */
export function setField(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(record, name, { value, enumerable: true })
  else record[name] = value
}

/** Nothing keeps a library from putting an object where the message of an error belongs. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : typeName(value)
}

/** The name of a value's class, or of its type. */
export function typeName(value: unknown): string {
  if (typeof value !== 'object' || value === null) return typeof value
  const made: unknown = value.constructor
  return typeof made === 'function' && made.name !== '' ? made.name : 'Object'
}
