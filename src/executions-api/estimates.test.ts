import { expect, test } from 'vitest'
import { queueTimes } from './estimates.ts'
import { exampleRecord, momentAfter } from './testing.ts'

const now = momentAfter(0)
const expected = {
  durationMs: 20_000,
  microDollars: 2500,
  remainingMs: 20_000,
  finalMicroDollars: 2500,
  confidence: 0.5,
  source: 'flow_history',
  stepMs: new Map<string, number>(),
}
const queued = exampleRecord({ status: 'queued', startedAt: null, outcomes: [], queuePosition: 3 })

test('an execution starts after those before it, and ends after its usual duration', () => {
  expect(queueTimes(queued, { expected, waitMs: 10_000, now })).toMatchObject({
    startsAt: momentAfter(10),
    endsAt: momentAfter(30),
  })
})

test('a parked execution has neither a start nor an end', () => {
  const parked = { ...queued, parked: 'approval' as const }
  expect(queueTimes(parked, { expected, waitMs: 0, now })).toMatchObject({ startsAt: null, endsAt: null })
})

test('without a known wait there is no start, without a known duration no end', () => {
  expect(queueTimes(queued, { expected, waitMs: null, now }).startsAt).toBeNull()
  const unknown = { ...expected, durationMs: null }
  const times = queueTimes(queued, { expected: unknown, waitMs: 10_000, now })
  expect([times.startsAt, times.endsAt]).toEqual([momentAfter(10), null])
})
