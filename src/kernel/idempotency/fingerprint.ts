import { createHash } from 'node:crypto'

/** Names a key: it means something only for the account and the route it was sent to. */
export function nameOf(accountId: string, route: string, key: string): Buffer {
  return hash(JSON.stringify([accountId, route, key]))
}

/** Tells one request from another. Fields in another order are the same request. */
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
  // A list of pairs keeps its order; an object would move names that look like numbers.
  return { fields: fields.map(([name, item]) => [name, item as unknown]) }
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
