import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describeCurves, simulateCurves } from '../../bench/scale/curve.ts'
import { flushMs, measuredPoints } from '../../bench/scale/measurements.ts'
import { simulate } from '../../bench/scale/simulate.ts'

test.each(measuredPoints)(
  'the simulation is within 20 % of the measurement: $name',
  ({ scenario, measured }) => {
    const { executionsPerSecond } = simulate(scenario)
    expect(executionsPerSecond / measured).toBeGreaterThan(0.8)
    expect(executionsPerSecond / measured).toBeLessThan(1.2)
  },
)

const workload = { platformMs: 1, databaseMs: 0.5, commits: 2, notifies: false }

const boundBy = (replicas: number, database: number) =>
  simulate({
    workload,
    replicas,
    cores: { platform: replicas, database },
    concurrency: 200 * replicas,
    flushMs,
  }).executionsPerSecond

test('a replica cannot do more than its core, and the database not more than its cores', () => {
  expect(boundBy(1, 8)).toBeLessThanOrEqual(1010)
  expect(boundBy(1, 8)).toBeGreaterThan(750)
  // Executions that began before the measurement end in it, so that it can be a little above the 4,000 of two cores.
  const bound = boundBy(16, 2)
  expect(bound).toBeLessThanOrEqual(4600)
  expect(bound).toBeGreaterThan(3000)
})

test('each execution needs its commits, and the results are the same each time', () => {
  const scenario = {
    workload,
    replicas: 1,
    cores: { platform: 1, database: 1 },
    concurrency: 1,
    flushMs: 5,
  }
  const rates = simulate(scenario)
  // Alone: 1.5 ms of work and two flushes.
  expect(rates.meanMs).toBeGreaterThan(10)
  expect(rates.meanMs).toBeLessThan(13)
  expect(rates.commitsPerSecond / rates.executionsPerSecond).toBeCloseTo(2, 1)
  expect(simulate(scenario)).toEqual(rates)
})

test('docs/scale.md has the curves of this simulation', () => {
  const page = readFileSync(new URL('../../docs/scale.md', import.meta.url), 'utf8')
  expect(page).toContain(describeCurves(simulateCurves('from the queue')))
})
