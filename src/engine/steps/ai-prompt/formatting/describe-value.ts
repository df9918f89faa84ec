import { asText } from '../../../expressions/template.ts'

const deepest = 6
const maxEntries = 500

/** A value of JSON as a text in Markdown: the keys of an object are headings, the items of a list stand below each other. */
export function describeValue(value: unknown): string {
  if (!isNested(value)) return asText(value)
  if (Array.isArray(value)) return linesOf(value, 0).join('\n')
  return Object.entries(value)
    .slice(0, maxEntries)
    .map(([key, inner]) => `## ${key}\n\n${isNested(inner) ? linesOf(inner, 0).join('\n') : asText(inner)}`)
    .join('\n\n')
}

function linesOf(value: object, depth: number): string[] {
  const sign = `${'  '.repeat(depth)}- `
  const entries = Array.isArray(value)
    ? value.map((inner: unknown) => ['', inner] as const)
    : Object.entries(value).map(([key, inner]) => [`**${key}**: `, inner] as const)
  return entries.slice(0, maxEntries).flatMap(([name, inner]) => {
    if (!isNested(inner) || depth >= deepest) return [`${sign}${name}${asText(inner)}`]
    const below = linesOf(inner, depth + 1)
    return name === '' ? below : [`${sign}${name.trim()}`, ...below]
  })
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
