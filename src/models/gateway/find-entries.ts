import type { CatalogueEntry } from './catalogue-entry.ts'

/**
 * All catalogue entries that match a model name, the best match first. A name that is an id of the catalogue is not read as
 * `provider/id`. Providers with the same id keep the order of the catalogue, which is that of the default chain.
 */
export function findEntriesByName(
  name: string,
  entries: readonly CatalogueEntry[],
): readonly CatalogueEntry[] {
  const same = entriesWithId(name, entries)
  if (same.length > 0) return same
  const slash = name.indexOf('/')
  const provider = name.slice(0, Math.max(0, slash))
  return entriesWithId(
    name.slice(slash + 1),
    entries.filter((entry) => entry.provider === provider),
  )
}

function entriesWithId(id: string, entries: readonly CatalogueEntry[]): readonly CatalogueEntry[] {
  const exact = entries.filter(({ model }) => model.id === id)
  return exact.length > 0 ? exact : entries.filter((entry) => matchesNodeModel(entry, id))
}

/** Model names of nodes are case-insensitive, and a name without a tag means `latest`. */
function matchesNodeModel({ provider, model }: CatalogueEntry, id: string): boolean {
  const [requested, known] = [id.toLowerCase(), model.id.toLowerCase()]
  return provider === 'ollama' && (known === requested || known === `${requested}:latest`)
}
