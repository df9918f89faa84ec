import { lookUp, type Scope } from '../../expressions/path.ts'
import { asText, fillText } from '../../expressions/template.ts'
import type { Source } from '../data-transform.ts'
import { drawBars } from './draw-bars.ts'
import { numbersIn } from './numbers-in.ts'

interface SummaryOptions {
  readonly template?: string | undefined
  readonly fields?: readonly string[] | undefined
  readonly include_visualizations?: boolean | undefined
}

const maxValueLength = 300

/** Summarises the sources as a text: the filled template, or else a list of their values. */
export function generateSummary(
  sources: readonly Source[],
  { template, fields, include_visualizations: draws = false }: SummaryOptions,
  scope: Scope,
): { readonly summary: string; readonly missing: readonly string[] } {
  const named = Object.fromEntries(sources.map(({ name, value }) => [name.split('.').at(-1) ?? name, value]))
  const seen: Scope = { ...scope, memory: { ...scope.memory, ...named } }
  const { value: text, missing } =
    template === undefined ? { value: listOf(sources, fields), missing: [] } : fillText(template, seen)
  const chart = draws ? chartOf(sources, fields) : ''
  return { summary: chart === '' ? text : `${text}\n\n\`\`\`\n${chart}\n\`\`\``, missing }
}

function listOf(sources: readonly Source[], fields: readonly string[] | undefined): string {
  return sources
    .map(({ name, value }) => {
      const entries = entriesOf(value, fields)
      if (entries === undefined) return `**${name}**: ${shorten(asText(value))}`
      return [`**${name}**`, ...entries.map(([key, inner]) => `- ${key}: ${shorten(asText(inner))}`)].join(
        '\n',
      )
    })
    .join('\n\n')
}

function entriesOf(value: unknown, fields: readonly string[] | undefined): [string, unknown][] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  if (fields === undefined) return Object.entries(value)
  const inside: Scope = { memory: value as Record<string, unknown>, context: {}, steps: {} }
  return fields
    .map((field): [string, unknown] => [field, lookUp(inside, field)])
    .filter(([, inner]) => inner !== undefined)
}

function chartOf(sources: readonly Source[], fields: readonly string[] | undefined): string {
  const numbers = sources.flatMap(({ name, value }) =>
    [...numbersIn(value, fields)].map(([field, [first]]): [string, number] => [
      `${name}.${field}`,
      first?.value ?? 0,
    ]),
  )
  return drawBars(Object.fromEntries(numbers))
}

function shorten(text: string): string {
  return text.length <= maxValueLength ? text : `${text.slice(0, maxValueLength)}…`
}
