import { expect, test } from 'vitest'
import { runChaos } from '../chaos/run-chaos.ts'

/** `npm run chaos` is the long version. */
test('executions survive workers that are killed and a database that restarts, and no finished step begins again', {
  timeout: 120_000,
}, async () => {
  const report = await runChaos({
    executions: 60,
    kills: 5,
    seed: 6,
    killEveryMs: [500, 1500],
    restartEveryMs: 4000,
    maxRestarts: 1,
    takeoverWithinMs: 30_000,
  })
  expect(report.problems).toEqual([])
  expect(report.restarts).toBe(1)
  expect(report.measured).toBeGreaterThan(0)
})
