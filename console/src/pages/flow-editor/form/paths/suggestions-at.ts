import type { DraftStep } from '../../document/flow-document.ts'
import { type Json, type JsonPath, valueAt } from '../../document/json.ts'
import { distinct, type Suggestion } from './suggestions.ts'

interface OfStep {
  /** The paths available when the step starts. */
  readonly begins: readonly Suggestion[]
  /** The paths of its own output. */
  readonly own: readonly Suggestion[]
}

/** The paths that a field of a step can use: some also see the output of the step or the previous transformation. */
export function suggestionsAt(
  step: DraftStep,
  path: JsonPath,
  { begins, own }: OfStep,
): readonly Suggestion[] {
  const [head, index] = path
  if (head === 'routing_prompt' || head === 'routing_options') return distinct([...own, ...begins])
  if (head !== 'transformations' || typeof index !== 'number') return begins
  const earlier: readonly Suggestion[] =
    index === 0 ? [] : [{ path: 'previous', from: 'the previous transformation', isBrought: false }]
  return distinct([...earlier, ...(path[2] === 'template' ? sourceNames(step, index) : []), ...begins])
}

/** A template refers to its sources by their last names. */
function sourceNames(step: DraftStep, index: number): readonly Suggestion[] {
  return sourcesOf(step, index).map((source) => ({
    path: source.split('.').at(-1) ?? source,
    from: `its source ${source}`,
    isBrought: false,
  }))
}

/** The fields of the sources of a transformation, as far as known. */
export function sourceFields(
  step: DraftStep,
  path: JsonPath,
  begins: readonly Suggestion[],
): readonly Suggestion[] {
  const index = Number(path[1])
  const named = sourcesOf(step, index)
  const sources =
    named.length > 0 ? named : begins.filter(({ path: it }) => !it.includes('.')).map(({ path: it }) => it)
  return distinct(
    sources.flatMap((source) =>
      begins
        .filter(({ path: it }) => it.startsWith(`${source}.`))
        .map((found) => ({ ...found, path: found.path.slice(source.length + 1), from: `in ${source}` })),
    ),
  )
}

function sourcesOf(step: DraftStep, index: number): readonly string[] {
  const sources = valueAt(step, ['transformations', index, 'sources'])
  return Array.isArray(sources)
    ? (sources as readonly Json[]).filter((it): it is string => typeof it === 'string' && it !== '')
    : []
}
