import type { CatalogueEntry } from '../gateway/catalogue-entry.ts'
import { findIneligibility } from '../gateway/eligible.ts'

/** Lists of compatible servers have no capabilities; these names are of models that do not chat. */
const otherPurpose =
  /(^|[-/:_.])(embed\w*|rerank\w*|whisper|tts|transcribe|realtime|audio|speech|image\w*|dall-e|sora|moderation|guard|search|babbage|davinci)/i

/**
 * The default model of a provider that was added without one: of the models that can generate text the one with the lowest known price,
 * the first by name among equal ones. Undefined: the provider lists none.
 */
export function chooseDefaultModel(entries: readonly CatalogueEntry[]): string | undefined {
  const able = entries.filter(
    (entry) =>
      entry.model.available &&
      !otherPurpose.test(entry.model.id) &&
      findIneligibility(entry, { capability: 'completion', runtimeFields: [] }) === undefined,
  )
  const [first] = able.toSorted((a, b) => priceOf(a) - priceOf(b) || (a.model.id < b.model.id ? -1 : 1))
  return first?.model.id
}

/** Models whose price is unknown come last: budgets do not limit them. */
function priceOf({ price }: CatalogueEntry): number {
  return price.source === 'unpriced' ? Number.MAX_VALUE : price.prices.input + price.prices.output
}
