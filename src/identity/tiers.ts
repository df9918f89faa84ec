import { type CallerRatePolicy, perCaller } from '#kernel/http'

/** The limits of one tier. Money is in whole micro-dollars. */
export interface TierLimits {
  readonly requestsPerHour: number
  readonly concurrentWorkflows: number
  readonly microDollarsPerDay: number
}

export interface Tiers {
  /** An unknown tier, such as one of a newer release, has the limits of the lowest tier. */
  readonly limitsOfTier: (name: string) => TierLimits
  /** Limits requests per account by its tier, and anonymous requests to 100 an hour per IP address. */
  readonly requestsPerHour: CallerRatePolicy
}

const dollar = 1_000_000

const fixedTiers = {
  basic: { requestsPerHour: 100, concurrentWorkflows: 2, microDollarsPerDay: dollar },
  professional: { requestsPerHour: 500, concurrentWorkflows: 5, microDollarsPerDay: 10 * dollar },
  enterprise: { requestsPerHour: 2000, concurrentWorkflows: 20, microDollarsPerDay: 100 * dollar },
} as const satisfies Readonly<Record<string, TierLimits>>

const anonymousRequestsPerHour = 100

/** `settings` is read for each request, so that a change of the tier `custom` applies at once. */
export function createTiers(settings: { readonly customTier: TierLimits }): Tiers {
  const tiers = new Map<string, TierLimits>(Object.entries(fixedTiers))
  const limitsOfTier = (name: string): TierLimits =>
    name === 'custom' ? settings.customTier : (tiers.get(name) ?? fixedTiers.basic)
  return {
    limitsOfTier,
    requestsPerHour: perCaller({
      name: 'requests-per-hour',
      signedIn: ({ tier }) => ({ limit: limitsOfTier(tier).requestsPerHour, windowSeconds: 3600 }),
      anonymous: { limit: anonymousRequestsPerHour, windowSeconds: 3600 },
    }),
  }
}

/** The tiers an account can have, lowest first. */
export const tierNames = ['basic', 'professional', 'enterprise', 'custom'] as const
