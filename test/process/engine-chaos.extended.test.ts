import { expect, test } from 'vitest'
import { runChaos } from '../chaos/run-chaos.ts'
import { patience } from '../support/patience.ts'

/** `npm run chaos` is the long version. */
test('executions survive killed workers and a database restart, running or suspended, and no finished step runs again', {
  timeout: 300_000 * patience,
}, async () => {
  const report = await runChaos({
    executions: 40,
    kills: 5,
    seed: 6,
    killEveryMs: [500, 1500],
    restartEveryMs: 4000,
    maxRestarts: 1,
    takeoverWithinMs: 30_000,
  })
  expect(report.problems).toEqual([])
  expect(report.restarts).toBe(1)
  expect(report.suspendedAtRestart).toBeGreaterThan(0)
  expect(report.measured).toBeGreaterThan(0)
})
