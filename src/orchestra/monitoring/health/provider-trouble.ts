import type { ProviderView } from '#models'
import { epochSeconds } from '#runs'
import { isThere, withLanguageModels } from '../providers.ts'
import type { Finding, Rule } from './finding.ts'

/** Providers that are set up and do not answer well. */
export const providerRules: readonly Rule[] = [
  ({ providers }) =>
    withLanguageModels(providers)
      .filter(({ status }) => status !== 'online')
      .map((provider) => aboutProvider(provider, providers)),
]

function aboutProvider(provider: ProviderView, all: readonly ProviderView[]): Finding {
  const { name, status, lastError, changedAt } = provider
  const left = withLanguageModels(all).filter(isThere)
  const isLast = left.length === 0
  const others = left.filter((other) => other.name !== name).map((other) => other.name)
  return {
    alert: {
      level: isLast ? 'critical' : 'warning',
      component: 'ai_providers',
      message: `Provider ${name} is ${status}${lastError === null ? '.' : `: ${lastError}`}`,
      since: epochSeconds(changedAt),
      impact: isLast
        ? 'No language model can be asked; only the built-in analysis answers.'
        : status === 'degraded'
          ? 'Its answers may be slow or fail.'
          : `Its models cannot be asked; ${others.join(' and ') || 'nobody'} can.`,
    },
    recommendation:
      status === 'offline'
        ? `Check the address and the key of ${name}, and allow a fallback to other providers.`
        : `Watch ${name}, and let steps that cannot wait prefer another provider.`,
  }
}
