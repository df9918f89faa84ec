/** How JSON.stringify writes what jsonb cannot hold: the NUL character and halves of surrogate pairs. */
const unstorable = /\\u(?:0000|d[89a-f][0-9a-f]{2})/

/**
 * JSON that PostgreSQL can keep. Text that comes in pieces may have split a character, and other people's answers may hold
 * anything: what cannot be stored is replaced by U+FFFD, not refused.
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
