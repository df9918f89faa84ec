import type { Warning } from '../responses/warnings.ts'

const charactersPerToken = 4

/** About how many tokens a text of this length has. */
export function tokensIn(characters: number): number {
  return Math.ceil(characters / charactersPerToken)
}

interface LanguageModel {
  readonly available: boolean
  readonly capabilities: readonly string[]
  readonly contextLength: number | null
}

/** Whether a model is available for completions of this size; null: the size is unknown. */
export function canComplete(
  { available, capabilities, contextLength }: LanguageModel,
  tokens: { readonly input: number; readonly output: number } | null,
): boolean {
  const fits = tokens === null || contextLength === null || tokens.input + tokens.output <= contextLength
  return available && fits && (capabilities.length === 0 || capabilities.includes('completion'))
}

/** Looks every name up once: many steps and agents name the same few models. */
export function rememberLookups<Found>(
  find: (name: string) => Promise<Found>,
): (name: string) => Promise<Found> {
  const lookups = new Map<string, Promise<Found>>()
  return (name) => {
    const lookup = lookups.get(name) ?? find(name)
    lookups.set(name, lookup)
    return lookup
  }
}

/** A model of the catalogue, as far as its provider matters. */
interface OfferedModel {
  readonly provider: string
  readonly model: { readonly available: boolean }
}

interface ProviderPreference {
  readonly preferred: readonly string[]
  /** The models that would run what is recommended. */
  readonly selected: readonly (OfferedModel | undefined)[]
  readonly catalogue: readonly OfferedModel[]
  /** All providers the platform supports. */
  readonly providerNames: readonly string[]
}

/** Warns about preferred providers that no recommendation would use, with the reason. */
export function warnOfUnusedProviders({ preferred, selected, ...market }: ProviderPreference): Warning[] {
  const used = new Set(selected.flatMap((offered) => offered?.provider ?? []))
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
  { catalogue, providerNames }: Pick<ProviderPreference, 'catalogue' | 'providerNames'>,
): string {
  if (!providerNames.includes(name))
    return `there is no such provider (there are ${providerNames.join(', ')})`
  const models = catalogue.filter(({ provider }) => provider === name)
  if (models.length === 0) return 'it has no models here, because it is not configured or does not answer'
  if (!models.some(({ model }) => model.available)) return 'none of its models is available now'
  return 'other models are named, or answer by default'
}
