import type { CatalogueEntry } from './catalogue-entry.ts'
import { type Need, whyNot } from './eligible.ts'
import { entriesNamed } from './names.ts'

/** Models that were chosen in the settings. */
export interface DefaultModels {
  readonly defaultModel: string | undefined
  readonly openaiDefaultModel: string | undefined
  readonly anthropicDefaultModel: string | undefined
}

/**
 * Who answers when it is all the same to the caller: the default model, then the cluster with one that is available
 * (loaded ones first, then by name), then what was chosen for each cloud, then what needs nothing.
 */
export function defaultChain(
  entries: readonly CatalogueEntry[],
  need: Need,
  { defaultModel, openaiDefaultModel, anthropicDefaultModel }: DefaultModels,
): readonly CatalogueEntry[] {
  const able = entries.filter((entry) => whyNot(entry, need) === undefined)
  const of = (provider: CatalogueEntry['provider']) => able.filter((entry) => entry.provider === provider)
  const chosen = (name: string | undefined, among = able) =>
    name === undefined ? [] : entriesNamed(name, among).slice(0, 1)
  const ready = of('ollama')
    .filter(({ model }) => model.available)
    .toSorted(byReadiness)
  return [
    ...chosen(defaultModel),
    ...ready.slice(0, 1),
    ...chosen(openaiDefaultModel, of('openai')),
    ...chosen(anthropicDefaultModel, of('anthropic')),
    ...of('builtin').slice(0, 1),
  ]
}

function byReadiness({ model: left }: CatalogueEntry, { model: right }: CatalogueEntry): number {
  if (left.loaded !== right.loaded) return left.loaded ? -1 : 1
  return left.id < right.id ? -1 : 1
}
