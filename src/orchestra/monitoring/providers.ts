import type { ProviderView } from '#models'

/** The configured providers. */
export function configured(providers: readonly ProviderView[]): readonly ProviderView[] {
  return providers.filter(({ status }) => status !== 'unconfigured')
}

/** The configured providers except `builtin`, which only analyses text. */
export function withLanguageModels(providers: readonly ProviderView[]): readonly ProviderView[] {
  return configured(providers).filter(({ name }) => name !== 'builtin')
}

export function isAvailable({ status }: ProviderView): boolean {
  return status === 'online' || status === 'degraded'
}
