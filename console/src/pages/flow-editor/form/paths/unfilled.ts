import { placeholdersIn, splitPath } from './placeholders.ts'
import type { Suggestion } from './suggestions.ts'

/** The known paths at a text with placeholders. */
export interface Filling {
  readonly suggestions: readonly Suggestion[]
  /** Every key of the shared memory that any step writes. */
  readonly keys: readonly string[]
}

/** Why a placeholder is unfilled, as a sentence; undefined when it is filled. */
export function describeUnfilled(path: string, { suggestions, keys }: Filling): string | undefined {
  const parts = splitPath(path)
  if (parts === undefined) return `“{{${path}}}” is not a valid path, such as {{analysis.score}}.`
  const [first = '', second = ''] = parts
  const root =
    first === 'steps' ? `steps.${second}` : first === 'memory' || first === 'context' ? second : first
  const filler = suggestions.find((it) => rootOf(it.path) === root && !it.isBrought)
  if (filler !== undefined) return undefined
  if (first === 'steps') return `“${path}”: no earlier step has the ID “${second}”.`
  if (keys.includes(root)) return `“${path}” is written by a step that may not have finished by then.`
  return `No step writes “${root}”: pass it in the context of the execution.`
}

/** The problems of all unfilled placeholders of a text, each once. */
export function unfilledIn(text: string, filling: Filling): readonly string[] {
  return [...new Set(placeholdersIn(text).flatMap(({ path }) => describeUnfilled(path, filling) ?? []))]
}

function rootOf(path: string): string {
  const [first = '', second = ''] = splitPath(path) ?? []
  return first === 'steps' ? `steps.${second}` : first
}
