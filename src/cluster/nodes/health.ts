/**
 * The health of a node as a state machine. Its events are the results of probes and requests.
 *
 * | state     | on                                                | next                                               |
 * |-----------|---------------------------------------------------|----------------------------------------------------|
 * | unknown   | good                                              | healthy                                            |
 * | unknown   | failed for the 3rd time in a row, refused         | unhealthy, for the first pause                     |
 * | healthy   | good                                              | healthy, failed probes forgotten                   |
 * | healthy   | failed for the 3rd time in a row, refused         | unhealthy, for the next pause                      |
 * | healthy   | request good                                      | healthy, failed requests and pause forgotten       |
 * | healthy   | request failed for the 5th time in a row, refused | unhealthy, for the next pause                      |
 * | unhealthy | time, and the pause is over                       | probing                                            |
 * | unhealthy | good, failed, refused                             | unhealthy: the probe began before the pause        |
 * | probing   | good                                              | probing                                            |
 * | probing   | good for the 2nd time                             | healthy, failed probes forgotten                   |
 * | probing   | failed, refused                                   | unhealthy, for the next pause                      |
 *
 * Where a pair is missing the state stays as it is. A refused connection needs no confirmation: no server is listening.
 * The next pause is the first one, or twice the last one, to a limit. The last one is reset by recovery, unless
 * requests had failed: a node that passes probes but fails requests pauses longer each time, and because its failed
 * requests still count, one more failure is enough. Only a successful request resets it.
 */
export interface Health {
  readonly status: HealthStatus
  /** Failed probes in a row. */
  readonly failures: number
  /** Failed requests in a row, regardless of the probes between them. */
  readonly failedRequests: number
  /** Successful probes in a row while probing. */
  readonly successes: number
  /** Length of the last pause; 0 when there was none since the node was last healthy. */
  readonly pauseMs: number
  /** When the pause of an unhealthy node is over. */
  readonly resumeAtMs: number
}

type HealthStatus = 'unknown' | 'healthy' | 'unhealthy' | 'probing'

export type RequestObservation = 'request good' | 'request failed' | 'request refused'

export type Observation = 'good' | 'failed' | 'refused' | 'time' | RequestObservation

export interface HealthRules {
  readonly failuresUntilUnhealthy: number
  readonly failedRequestsUntilUnhealthy: number
  readonly successesUntilHealthy: number
  readonly firstPauseMs: number
  readonly maxPauseMs: number
}

export const unknownHealth: Health = Object.freeze({
  status: 'unknown',
  failures: 0,
  failedRequests: 0,
  successes: 0,
  pauseMs: 0,
  resumeAtMs: 0,
})

/** Pauses in proportion to the interval: with 15 s between probes they grow from 5 s to a minute. */
export function healthRulesFor(intervalMs: number): HealthRules {
  return {
    failuresUntilUnhealthy: 3,
    failedRequestsUntilUnhealthy: 5,
    successesUntilHealthy: 2,
    firstPauseMs: Math.ceil(intervalMs / 3),
    maxPauseMs: intervalMs * 4,
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
  switch (observation) {
    case 'time':
      return health
    case 'request good':
    case 'request failed':
    case 'request refused':
      return health.status === 'healthy' ? afterRequest(health, observation, nowMs, rules) : health
    default:
      return afterProbe(health, observation, nowMs, rules)
  }
}

function afterProbe(
  health: Health,
  observation: 'good' | 'failed' | 'refused',
  nowMs: number,
  rules: HealthRules,
): Health {
  if (health.status === 'probing') {
    return observation === 'good' ? countSuccess(health, rules) : beginPause(health, nowMs, rules)
  }
  if (observation === 'good') return recover(health)
  const failures = health.failures + 1
  const enough = observation === 'refused' || failures >= rules.failuresUntilUnhealthy
  return enough ? beginPause(health, nowMs, rules) : { ...health, failures }
}

function afterRequest(
  health: Health,
  observation: RequestObservation,
  nowMs: number,
  rules: HealthRules,
): Health {
  if (observation === 'request good')
    return { ...unknownHealth, status: 'healthy', failures: health.failures }
  const failedRequests = health.failedRequests + 1
  const enough = observation === 'request refused' || failedRequests >= rules.failedRequestsUntilUnhealthy
  return enough
    ? { ...beginPause(health, nowMs, rules), failures: health.failures, failedRequests }
    : { ...health, failedRequests }
}

function countSuccess(health: Health, rules: HealthRules): Health {
  const successes = health.successes + 1
  return successes >= rules.successesUntilHealthy ? recover(health) : { ...health, successes }
}

function recover({ failedRequests, pauseMs }: Health): Health {
  return {
    ...unknownHealth,
    status: 'healthy',
    failedRequests,
    pauseMs: failedRequests === 0 ? 0 : pauseMs,
  }
}

function beginPause(health: Health, nowMs: number, rules: HealthRules): Health {
  const pauseMs = health.pauseMs === 0 ? rules.firstPauseMs : Math.min(health.pauseMs * 2, rules.maxPauseMs)
  return {
    status: 'unhealthy',
    failures: health.failures + 1,
    failedRequests: health.failedRequests,
    successes: 0,
    pauseMs,
    resumeAtMs: nowMs + pauseMs,
  }
}
