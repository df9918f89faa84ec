import type { CatalogueEntry } from './catalogue-entry.ts'
import { type CallRequirements, findIneligibility } from './eligible.ts'
import { findEntriesByName } from './find-entries.ts'

/** The default models that operators selected. */
export interface DefaultModels {
  readonly defaultModel: string | undefined
  /** The default models of cloud providers, by name of the provider, in the order of the default chain. */
  readonly ofProviders: ReadonlyMap<string, string>
}

/**
 * The candidates for `auto` and for fallbacks: the default model, an available model of the cluster (loaded models first, then
 * by name), the default model of each cloud provider, the built-in model.
 */
export function defaultChain(
  entries: readonly CatalogueEntry[],
  requirements: CallRequirements,
  { defaultModel, ofProviders }: DefaultModels,
  /** The targets that may handle the call, when the default model is a route. */
  ofRoute?: readonly CatalogueEntry[],
): readonly CatalogueEntry[] {
  const able = entries.filter((entry) => findIneligibility(entry, requirements) === undefined)
  const of = (provider: CatalogueEntry['provider']) => able.filter((entry) => entry.provider === provider)
  const chosen = (name: string | undefined, among = able) =>
    name === undefined ? [] : findEntriesByName(name, among).slice(0, 1)
  const ready = of('ollama')
    .filter(({ model }) => model.available)
    .toSorted(byReadiness)
  return [
    ...(ofRoute ?? chosen(defaultModel)),
    ...ready.slice(0, 1),
    ...[...ofProviders].flatMap(([provider, model]) => chosen(model, of(provider))),
    ...of('builtin').slice(0, 1),
  ]
}

function byReadiness({ model: left }: CatalogueEntry, { model: right }: CatalogueEntry): number {
  if (left.loaded !== right.loaded) return left.loaded ? -1 : 1
  return left.id < right.id ? -1 : 1
}
