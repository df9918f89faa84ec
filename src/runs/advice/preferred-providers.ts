import { type CatalogueEntry, providerNames } from '#models'
import type { Warning } from '../reading/warnings.ts'

/** Warns of preferred providers that none of what is recommended would be answered by, and says why. */
export function warnOfUnusedProviders(
  preferred: readonly string[],
  answering: readonly (CatalogueEntry | undefined)[],
  catalogue: readonly CatalogueEntry[],
): Warning[] {
  const used = new Set<string>(answering.flatMap((entry) => entry?.provider ?? []))
  return [...new Set(preferred)]
    .filter((name) => !used.has(name))
    .map((name) => ({
      type: 'preferred_provider_not_used',
      message: `preferred_providers: nothing that is recommended would be answered by "${name}": ${reasonFor(name, catalogue)}.`,
      step: null,
      threshold: null,
      actual: null,
    }))
}

function reasonFor(name: string, catalogue: readonly CatalogueEntry[]): string {
  if (!providerNames.some((known) => known === name))
    return `there is no such provider (there are ${providerNames.join(', ')})`
  const models = catalogue.filter(({ provider }) => provider === name)
  if (models.length === 0) return 'it has no models here, because it is not configured or does not answer'
  if (!models.some(({ model }) => model.available)) return 'none of its models is available now'
  return 'other models are named, or answer by default'
}
