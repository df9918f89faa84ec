import { expect, test } from 'vitest'
import { faults } from '../chaos/replicas/faults.ts'
import { runReplicaChaos } from '../chaos/replicas/run-replicas.ts'
import { patience } from '../support/patience.ts'

/** The short version of `npm run chaos -- --replicas 3`. */
const chosen = ['kill -9 of a worker', 'all connections ended', 'failover to the standby']

test('replicas lose no acknowledged work when a worker is killed, connections end and the database fails over', {
  timeout: 600_000 * patience,
}, async () => {
  const report = await runReplicaChaos({
    replicas: 2,
    callers: 4,
    faults: faults.filter(({ name }) => chosen.some((start) => name.startsWith(start))),
  })
  expect(report.faults).toHaveLength(chosen.length)
  expect(report).toMatchObject({
    lost: 0,
    repeatedEffects: 0,
    doubleSchedules: 0,
    missingDeliveries: 0,
  })
  expect(report.acknowledged).toBeGreaterThan(10)
  expect(report.deliveries).toBeGreaterThan(report.acknowledged)
})
