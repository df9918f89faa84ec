import { describe, expect, test } from 'vitest'
import { type Health, healthRulesFor, nextHealth, type Observation, unknownHealth } from './health.ts'

const rules = {
  failuresUntilUnhealthy: 3,
  failedRequestsUntilUnhealthy: 5,
  successesUntilHealthy: 2,
  firstPauseMs: 100,
  maxPauseMs: 350,
}
const now = 1000

const unknown = unknownHealth
const unknownTwiceFailed: Health = { ...unknown, failures: 2 }
const healthy: Health = { ...unknown, status: 'healthy' }
const healthyOnceFailed: Health = { ...healthy, failures: 1 }
const healthyTwiceFailed: Health = { ...healthy, failures: 2 }
const healthyFourRequestsFailed: Health = { ...healthy, failedRequests: 4 }
const pausing: Health = {
  status: 'unhealthy',
  failures: 3,
  failedRequests: 0,
  successes: 0,
  pauseMs: 100,
  resumeAtMs: now + 1,
}
const rested: Health = { ...pausing, resumeAtMs: now }
const probing: Health = { ...rested, status: 'probing' }
const probingOnceGood: Health = { ...probing, successes: 1 }
const probingAfterLongPause: Health = { ...probing, pauseMs: 200 }
const backOnTrial: Health = { ...healthy, failedRequests: 5, pauseMs: 100 }

const pause = (failures: number, pauseMs: number, failedRequests = 0): Health => ({
  status: 'unhealthy',
  failures,
  failedRequests,
  successes: 0,
  pauseMs,
  resumeAtMs: now + pauseMs,
})

type Row = [name: string, from: Health, on: Observation, to: Health]

const table: Row[] = [
  ['unknown becomes healthy at the first good probe', unknown, 'good', healthy],
  ['unknown forgets failures at a good probe', unknownTwiceFailed, 'good', healthy],
  ['unknown counts a failed probe', unknown, 'failed', { ...unknown, failures: 1 }],
  ['unknown is unhealthy at the third failed probe', unknownTwiceFailed, 'failed', pause(3, 100)],
  ['unknown is unhealthy at once when refused', unknown, 'refused', pause(1, 100)],
  ['unknown does not mind time', unknown, 'time', unknown],
  ['healthy stays healthy at a good probe', healthy, 'good', healthy],
  ['healthy forgets failures at a good probe', healthyTwiceFailed, 'good', healthy],
  ['healthy counts the first failed probe', healthy, 'failed', healthyOnceFailed],
  ['healthy counts the second failed probe', healthyOnceFailed, 'failed', healthyTwiceFailed],
  ['healthy is unhealthy at the third failed probe', healthyTwiceFailed, 'failed', pause(3, 100)],
  ['healthy is unhealthy at once when refused', healthy, 'refused', pause(1, 100)],
  ['healthy does not mind time', healthyTwiceFailed, 'time', healthyTwiceFailed],
  ['unhealthy ignores a good answer from before the pause', pausing, 'good', pausing],
  ['unhealthy ignores a good answer until it is probing', rested, 'good', rested],
  ['unhealthy ignores a failed probe', pausing, 'failed', pausing],
  ['unhealthy ignores a refusal', pausing, 'refused', pausing],
  ['unhealthy waits for the end of its pause', pausing, 'time', pausing],
  ['unhealthy is probing when its pause is over', rested, 'time', probing],
  ['probing counts the first good probe', probing, 'good', probingOnceGood],
  ['probing becomes healthy at the second good probe', probingOnceGood, 'good', healthy],
  ['probing is unhealthy for twice as long after a failed probe', probing, 'failed', pause(4, 200)],
  ['probing is unhealthy for twice as long after a refusal', probing, 'refused', pause(4, 200)],
  ['probing loses its good probe at a failed one', probingOnceGood, 'failed', pause(4, 200)],
  ['probing never pauses longer than the limit', probingAfterLongPause, 'failed', pause(4, 350)],
  ['probing does not mind time', probingOnceGood, 'time', probingOnceGood],

  ['healthy stays healthy at a good request', healthy, 'request good', healthy],
  ['healthy counts a failed request', healthy, 'request failed', { ...healthy, failedRequests: 1 }],
  [
    'healthy forgets failed requests at a good one',
    { ...healthyFourRequestsFailed, failures: 2, pauseMs: 100 },
    'request good',
    healthyTwiceFailed,
  ],
  ['healthy remembers failed requests at a good probe', backOnTrial, 'good', backOnTrial],
  [
    'healthy is unhealthy at the fifth failed request',
    healthyFourRequestsFailed,
    'request failed',
    pause(0, 100, 5),
  ],
  ['healthy is unhealthy at once when a request is refused', healthy, 'request refused', pause(0, 100, 1)],
  ['healthy on trial is unhealthy at one failed request', backOnTrial, 'request failed', pause(0, 200, 6)],
  [
    'probing remembers failed requests when it becomes healthy',
    { ...probingOnceGood, failedRequests: 5 },
    'good',
    backOnTrial,
  ],
  ['unknown ignores a good request', unknown, 'request good', unknown],
  ['unknown ignores a failed request', unknown, 'request failed', unknown],
  ['unknown ignores a refused request', unknown, 'request refused', unknown],
  ['unhealthy ignores a good request', pausing, 'request good', pausing],
  ['unhealthy ignores a failed request', pausing, 'request failed', pausing],
  ['unhealthy ignores a refused request', pausing, 'request refused', pausing],
  ['probing ignores a good request', probingOnceGood, 'request good', probingOnceGood],
  ['probing ignores a failed request', probingOnceGood, 'request failed', probingOnceGood],
  ['probing ignores a refused request', probingOnceGood, 'request refused', probingOnceGood],
]

describe('the health of a node', () => {
  test.each(table)('%s', (_name, from, on, to) => {
    expect(nextHealth(from, on, now, rules)).toEqual(to)
  })

  test('follows the table for every state and event', () => {
    const cells = new Set(table.map(([, from, on]) => `${from.status} ${on}`))
    expect(cells.size).toBe(4 * 7)
  })

  test('starts with the first pause again after the node was healthy', () => {
    const back = nextHealth({ ...probingOnceGood, pauseMs: 350 }, 'good', now, rules)
    expect(nextHealth(back, 'refused', now, rules)).toEqual(pause(1, 100))
  })

  test('has pauses in proportion to the probe interval', () => {
    expect(healthRulesFor(15_000)).toMatchObject({ firstPauseMs: 5000, maxPauseMs: 60_000 })
  })
})
