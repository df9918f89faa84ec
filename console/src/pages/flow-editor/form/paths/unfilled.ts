import { placeholdersIn, splitPath } from './placeholders.ts'
import type { Suggestion } from './suggestions.ts'

/** What is known where a text with placeholders stands. */
export interface Filling {
  readonly suggestions: readonly Suggestion[]
  /** Every key of the shared memory that any step writes. */
  readonly keys: readonly string[]
}

/** Why nobody fills a placeholder, as a sentence; undefined where somebody does. */
export function describeUnfilled(path: string, { suggestions, keys }: Filling): string | undefined {
  const parts = splitPath(path)
  if (parts === undefined) return `“{{${path}}}” is no path such as {{analysis.score}}.`
  const [first = '', second = ''] = parts
  const root =
    first === 'steps' ? `steps.${second}` : first === 'memory' || first === 'context' ? second : first
  const filler = suggestions.find((it) => rootOf(it.path) === root && !it.isBrought)
  if (filler !== undefined) return undefined
  if (first === 'steps') return `“${path}”: no step before this one is called “${second}”.`
  if (keys.includes(root)) return `“${path}” is made by a step that need not be over by then.`
  return `No step makes “${root}”: executions must bring it in their context.`
}

/** Every placeholder of a text that nobody fills, each once. */
export function unfilledIn(text: string, filling: Filling): readonly string[] {
  return [...new Set(placeholdersIn(text).flatMap(({ path }) => describeUnfilled(path, filling) ?? []))]
}

function rootOf(path: string): string {
  const [first = '', second = ''] = splitPath(path) ?? []
  return first === 'steps' ? `steps.${second}` : first
}
