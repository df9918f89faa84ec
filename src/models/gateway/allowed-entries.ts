import { isModelAllowed, type KeyLimits } from '#kernel/http'
import type { CatalogueEntry } from './catalogue-entry.ts'

/** The entries that an API key allows. */
export function allowedEntries<Entry extends Pick<CatalogueEntry, 'provider' | 'model'>>(
  entries: readonly Entry[],
  limits: KeyLimits | undefined,
): readonly Entry[] {
  if (limits?.models === undefined) return entries
  return entries.filter(({ provider, model }) => isModelAllowed(limits, { provider, id: model.id }))
}
