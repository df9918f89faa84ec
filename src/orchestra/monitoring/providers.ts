import type { ProviderView } from '#models'

/** Those that are set up: the others were never meant to answer. */
export function configured(providers: readonly ProviderView[]): readonly ProviderView[] {
  return providers.filter(({ status }) => status !== 'unconfigured')
}

/** Those with models that write: what is built in only analyses. */
export function withLanguageModels(providers: readonly ProviderView[]): readonly ProviderView[] {
  return configured(providers).filter(({ name }) => name !== 'builtin')
}

export function isThere({ status }: ProviderView): boolean {
  return status === 'online' || status === 'degraded'
}
