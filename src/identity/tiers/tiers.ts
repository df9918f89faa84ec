import { perCaller, type RatePolicy } from '#kernel/http'

/** What accounts of one tier may use. Money is in whole micro-dollars. */
export interface TierLimits {
  readonly requestsPerHour: number
  readonly concurrentWorkflows: number
  readonly microDollarsPerDay: number
}

export interface Tiers {
  /** A tier that only a newer release knows counts as the lowest. */
  readonly limitsOfTier: (name: string) => TierLimits
  /** Counts by account as its tier allows, and 100 an hour by address for those who have not signed in. */
  readonly requestsPerHour: RatePolicy
}

const dollar = 1_000_000

const fixedTiers = {
  basic: { requestsPerHour: 100, concurrentWorkflows: 2, microDollarsPerDay: dollar },
  professional: { requestsPerHour: 500, concurrentWorkflows: 5, microDollarsPerDay: 10 * dollar },
  enterprise: { requestsPerHour: 2000, concurrentWorkflows: 20, microDollarsPerDay: 100 * dollar },
} as const satisfies Readonly<Record<string, TierLimits>>

const anonymousRequestsPerHour = 100

/** The limits of every tier; the custom one is this installation's own. */
export function createTiers(custom: TierLimits): Tiers {
  const tiers = new Map<string, TierLimits>(Object.entries({ ...fixedTiers, custom }))
  const limitsOfTier = (name: string): TierLimits => tiers.get(name) ?? fixedTiers.basic
  return {
    limitsOfTier,
    requestsPerHour: perCaller({
      name: 'requests-per-hour',
      signedIn: ({ tier }) => ({ limit: limitsOfTier(tier).requestsPerHour, windowSeconds: 3600 }),
      anonymous: { limit: anonymousRequestsPerHour, windowSeconds: 3600 },
    }),
  }
}
