/**
 * How a node is, as a state and what may happen to it.
 *
 * | state     | on                                       | next                                             |
 * |-----------|------------------------------------------|--------------------------------------------------|
 * | unknown   | good                                     | healthy                                          |
 * | unknown   | failed for the 3rd time in a row, refused | unhealthy, for the first pause                   |
 * | healthy   | good                                     | healthy, failures forgotten                      |
 * | healthy   | failed for the 3rd time in a row, refused | unhealthy, for the first pause                   |
 * | unhealthy | time, and the pause is over              | probing                                          |
 * | unhealthy | good, failed, refused                    | unhealthy: asked before the pause, so nothing new |
 * | probing   | good                                     | probing                                          |
 * | probing   | good for the 2nd time                    | healthy, failures and pause forgotten            |
 * | probing   | failed, refused                          | unhealthy, for twice the last pause, to a limit  |
 *
 * Where a pair is missing the state stays as it is. A refused connection needs no second opinion: nobody is there.
 */
export interface Health {
  readonly status: HealthStatus
  /** In a row. */
  readonly failures: number
  /** In a row, counted while probing. */
  readonly successes: number
  /** Length of the last pause; 0 when there was none since the node was last healthy. */
  readonly pauseMs: number
  /** When the pause of an unhealthy node is over. */
  readonly resumeAtMs: number
}

export type HealthStatus = 'unknown' | 'healthy' | 'unhealthy' | 'probing'

export type Observation = 'good' | 'failed' | 'refused' | 'time'

export interface HealthRules {
  readonly failuresUntilUnhealthy: number
  readonly successesUntilHealthy: number
  readonly firstPauseMs: number
  readonly longestPauseMs: number
}

export const unknownHealth: Health = Object.freeze({
  status: 'unknown',
  failures: 0,
  successes: 0,
  pauseMs: 0,
  resumeAtMs: 0,
})

/** Pauses in proportion to the interval: with 15 s between probes they grow from 5 s to a minute. */
export function healthRulesFor(intervalMs: number): HealthRules {
  return {
    failuresUntilUnhealthy: 3,
    successesUntilHealthy: 2,
    firstPauseMs: Math.ceil(intervalMs / 3),
    longestPauseMs: intervalMs * 4,
  }
}

/** The health that follows. `nowMs` may come from any clock that never runs backwards. */
export function nextHealth(
  health: Health,
  observation: Observation,
  nowMs: number,
  rules: HealthRules,
): Health {
  if (health.status === 'unhealthy') {
    const pauseIsOver = observation === 'time' && nowMs >= health.resumeAtMs
    return pauseIsOver ? { ...health, status: 'probing', successes: 0 } : health
  }
  if (observation === 'time') return health
  if (health.status === 'probing') {
    return observation === 'good' ? countSuccess(health, rules) : beginPause(health, nowMs, rules)
  }
  return observation === 'good'
    ? { ...unknownHealth, status: 'healthy' }
    : countFailure(health, observation, nowMs, rules)
}

function countFailure(health: Health, observation: Observation, nowMs: number, rules: HealthRules): Health {
  const enough = observation === 'refused' || health.failures + 1 >= rules.failuresUntilUnhealthy
  return enough ? beginPause(health, nowMs, rules) : { ...health, failures: health.failures + 1 }
}

function countSuccess(health: Health, rules: HealthRules): Health {
  const successes = health.successes + 1
  if (successes >= rules.successesUntilHealthy) return { ...unknownHealth, status: 'healthy' }
  return { ...health, successes }
}

function beginPause(health: Health, nowMs: number, rules: HealthRules): Health {
  const pauseMs =
    health.pauseMs === 0 ? rules.firstPauseMs : Math.min(health.pauseMs * 2, rules.longestPauseMs)
  return {
    status: 'unhealthy',
    failures: health.failures + 1,
    successes: 0,
    pauseMs,
    resumeAtMs: nowMs + pauseMs,
  }
}
