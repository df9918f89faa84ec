import { type ProviderName, providerNames } from '../providers/provider.ts'
import type { CatalogueEntry } from './catalogue-entry.ts'

/**
 * All entries a name can mean, the best first. An id of the catalogue wins over reading `provider/id`, and providers that
 * have the same id stand in the order of the default chain.
 */
export function entriesNamed(name: string, entries: readonly CatalogueEntry[]): readonly CatalogueEntry[] {
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
  const found = exact.length > 0 ? exact : entries.filter((entry) => nodesMean(entry, id))
  return found.toSorted((left, right) => rankOf(left.provider) - rankOf(right.provider))
}

/** Nodes do not tell upper from lower case, and read a name without a tag as `latest`. */
function nodesMean({ provider, model }: CatalogueEntry, id: string): boolean {
  const [asked, known] = [id.toLowerCase(), model.id.toLowerCase()]
  return provider === 'ollama' && (known === asked || known === `${asked}:latest`)
}

function rankOf(provider: ProviderName): number {
  return providerNames.indexOf(provider)
}
