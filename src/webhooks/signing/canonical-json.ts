/**
 * The one way to write a JSON value by RFC 8785: names in the order of their UTF-16 code units, no spaces, numbers and texts as
 * ECMAScript writes them. Two sides that have the same value sign the same text, whatever happened to it on its way.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item ?? null)).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, item]) => `${writeText(name)}:${canonicalJson(item)}`)
    return `{${members.join(',')}}`
  }
  if (typeof value === 'string') return writeText(value)
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} is no JSON`)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return JSON.stringify(value)
  throw new TypeError(`a ${typeof value} is no JSON`)
}

function writeText(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('half a character is no JSON')
  return JSON.stringify(text)
}
