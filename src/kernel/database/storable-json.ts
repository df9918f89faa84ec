/** The escapes that JSON.stringify writes for characters jsonb cannot store: NUL and lone surrogates. */
const unstorable = /\\u(?:0000|d[89a-f][0-9a-f]{2})/

/**
 * JSON that PostgreSQL can store. Streamed text may split a character, and responses of other services may contain anything:
 * characters that jsonb cannot store are replaced by U+FFFD instead of being refused.
 */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value)
  return unstorable.test(text) ? JSON.stringify(makeStorable(JSON.parse(text))) : text
}

function makeStorable(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\uFFFD')
  if (Array.isArray(value)) return value.map(makeStorable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [makeStorable(key), makeStorable(item)]),
  )
}
