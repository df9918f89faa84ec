import type { Json } from '../../document/json.ts'
import type { Field, Shape } from './shape.ts'

const shortForms = new Set(['ai', 'api', 'id', 'json', 'seo', 'toc', 'url'])

/** The title of a field: `output_to_memory` is Output to memory. */
export function titleOf(name: string): string {
  const words = name
    .split('_')
    .map((word) => (shortForms.has(word) ? word.toUpperCase() : word))
    .join(' ')
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}

/** The title for the middle of a sentence. */
export function titleWithin(name: string): string {
  const title = titleOf(name)
  return /^[A-Z]{2}/.test(title) ? title : `${title.slice(0, 1).toLowerCase()}${title.slice(1)}`
}

/** The title of one list entry: an entry of `conditions`, and of a group of conditions, is a Condition. */
export function entryTitleOf(name: string): string {
  if (name === 'all' || name === 'any') return 'Condition'
  return titleOf(name.replace(/s$/, ''))
}

/** The titles of the types of a tool. */
export const variantTitles: Readonly<Record<string, string>> = {
  builtin: 'Built-in tool',
  flow: 'Workflow',
  http: 'HTTP request',
  mcp: 'Tools of an MCP server',
}

/** The default value, as far as the schema describes it. */
export function usualFlag({ description }: Pick<Field, 'description'>): boolean | undefined {
  const usual = /\bDefault: (true|false)\b/.exec(description)?.[1]
  return usual === undefined ? undefined : usual === 'true'
}

/** The limit is shown from this share of it on. */
const nearlyFull = 0.8

/** The constraints of a field, in words; empty where they do not matter. */
export function describeBounds(shape: Shape, value: Json | undefined): string {
  if (shape.kind === 'scalar') return shape.of.map((one) => describeBounds(one, value)).join('')
  if (shape.kind === 'number') {
    const { least, most, isWhole } = shape
    const what = isWhole ? 'A whole number' : 'A number'
    if (least !== undefined && most !== undefined) return `${what} from ${least} to ${most}.`
    if (least !== undefined) return `${what}, ${least} or more.`
    return most === undefined ? '' : `${what} up to ${most}.`
  }
  const { most, size, unit } = sizeIn(shape, value)
  return most !== undefined && size >= most * nearlyFull ? `${size} of at most ${most} ${unit}.` : ''
}

function sizeIn(shape: Shape, value: Json | undefined) {
  if (shape.kind === 'text' && typeof value === 'string') {
    return { most: shape.most, size: value.length, unit: 'characters' }
  }
  if (shape.kind === 'list' && Array.isArray(value)) {
    return { most: shape.most, size: value.length, unit: 'entries' }
  }
  if (shape.kind === 'record' && typeof value === 'object' && value !== null) {
    return { most: shape.most, size: Object.keys(value).length, unit: 'entries' }
  }
  return { most: undefined, size: 0, unit: '' }
}
