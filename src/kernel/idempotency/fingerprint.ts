import { createHash } from 'node:crypto'

/** The id of a key, which is only valid for its account and route. */
export function nameOf(accountId: string, route: string, key: string): Buffer {
  return hash(JSON.stringify([accountId, route, key]))
}

/** The hash of a request. The order of fields does not matter. */
export function fingerprint(request: {
  readonly params: unknown
  readonly query: unknown
  readonly body: unknown
}): Buffer {
  return hash(JSON.stringify([request.params, request.query, request.body], sortFields))
}

function sortFields(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const fields = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  // An array of pairs keeps its order; an object would reorder names that look like numbers.
  return { fields: fields.map(([name, item]) => [name, item as unknown]) }
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
