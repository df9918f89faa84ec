import type { Limiter, LimitRule } from '#kernel/limits'

const limiterWith = (change: (rule: LimitRule) => LimitRule) => ({
  wrapLimiter: (limiter: Limiter): Limiter => ({
    ...limiter,
    take: (key, rule) => limiter.take(key, change(rule)),
  }),
})

const isPerSecond = ({ windowSeconds }: LimitRule) => windowSeconds === 1

/** The limits of production. */
export const usualLimits = limiterWith((rule) => rule)

/** For sweeps over all routes. */
export const unlimited = limiterWith((rule) => ({ ...rule, limit: 1_000_000 }))

/** For tests that send more than ten reads a second for an account. All other limits apply. */
export const unlimitedReads = limiterWith((rule) =>
  isPerSecond(rule) ? { ...rule, limit: 1_000_000 } : rule,
)

/** For tests of the limits per second: on a slow machine, the second does not pass between two requests. */
export const longSeconds = limiterWith((rule) =>
  isPerSecond(rule) ? { ...rule, windowSeconds: 3600 } : rule,
)
