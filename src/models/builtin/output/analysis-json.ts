import type { TextAnalysis } from '../analysis/analyse-text.ts'
import { type TaskName, taskNames } from './read-task.ts'

/** The analysis as JSON, with names in snake case as in the rest of the API. */
export function toJson(
  analysis: TextAnalysis,
  names: readonly TaskName[],
): Readonly<Record<string, unknown>> {
  const all = snakeCased(analysis) as Readonly<Record<string, unknown>>
  const wanted = names.length === 0 ? taskNames : names
  const reasons = Object.entries(analysis.reasons).filter(([name]) => wanted.some((task) => task === name))
  return {
    provider: 'builtin',
    model: 'builtin:text',
    counts: all['counts'],
    ...Object.fromEntries(wanted.map((name) => [name, all[name]])),
    reasons: Object.fromEntries(reasons),
  }
}

function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [snakeCase(name), snakeCased(inner)]),
  )
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
