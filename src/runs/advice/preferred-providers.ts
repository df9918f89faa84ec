import type { Warning } from '../reading/warnings.ts'

/** A model, as far as it matters who has it. */
interface OfferedModel {
  readonly provider: string
  readonly model: { readonly available: boolean }
}

interface Preference {
  readonly preferred: readonly string[]
  /** The models that would answer what is recommended. */
  readonly answering: readonly (OfferedModel | undefined)[]
  readonly catalogue: readonly OfferedModel[]
  /** All providers there can be. */
  readonly providerNames: readonly string[]
}

/** Warns of preferred providers that would answer nothing of what is recommended, and says why. */
export function warnOfUnusedProviders({ preferred, answering, ...market }: Preference): Warning[] {
  const used = new Set(answering.flatMap((offered) => offered?.provider ?? []))
  return [...new Set(preferred)]
    .filter((name) => !used.has(name))
    .map((name) => ({
      type: 'preferred_provider_not_used',
      message: `preferred_providers: nothing that is recommended would be answered by "${name}": ${reasonFor(name, market)}.`,
      step: null,
      threshold: null,
      actual: null,
    }))
}

function reasonFor(
  name: string,
  { catalogue, providerNames }: Pick<Preference, 'catalogue' | 'providerNames'>,
): string {
  if (!providerNames.includes(name))
    return `there is no such provider (there are ${providerNames.join(', ')})`
  const models = catalogue.filter(({ provider }) => provider === name)
  if (models.length === 0) return 'it has no models here, because it is not configured or does not answer'
  if (!models.some(({ model }) => model.available)) return 'none of its models is available now'
  return 'other models are named, or answer by default'
}
