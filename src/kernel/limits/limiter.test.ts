import { describe, expect, test } from 'vitest'
import {
  type Allowance,
  changeLimit,
  createAllowance,
  demandOf,
  needsMore,
  receiveLease,
  type Taken,
  takeLocally,
  unusedPermits,
} from './limiter.ts'
import type { Lease } from './shared-counts.ts'

const endsAt = new Date('2026-11-15T12:00:00Z')
const later = new Date('2026-11-15T13:00:00Z')

const create = (limit = 100) => createAllowance(Buffer.alloc(32), limit, 60)

/** Receives a lease that was requested at 0 and arrived at 5 milliseconds. */
function receive(allowance: Allowance, lease: Partial<Lease>, limit = allowance.limit) {
  return receiveLease(
    allowance,
    { granted: 0, used: 0, endsAt, secondsLeft: 60, ...lease },
    { limit, requestedAtMs: 0, nowMs: 5 },
  )
}

function wait(allowance: Allowance): Promise<Taken> {
  return new Promise((resolve, reject) => {
    allowance.waiting.push({ resolve, reject })
  })
}

describe('an allowance', () => {
  test('is unknown without a lease', () => {
    expect(takeLocally(create(), 0)).toBeUndefined()
  })

  test('admits its permits, then needs a lease, then refuses when the limit is exhausted', () => {
    const allowance = create()
    receive(allowance, { granted: 2, used: 50 })
    expect(takeLocally(allowance, 10)).toMatchObject({ allowed: true, remaining: 51, resetsAt: endsAt })
    expect(takeLocally(allowance, 20)).toMatchObject({ allowed: true, remaining: 50, secondsLeft: 59.98 })
    expect(takeLocally(allowance, 30)).toBeUndefined()
    receive(allowance, { granted: 0, used: 100 })
    expect(takeLocally(allowance, 40)).toMatchObject({ allowed: false, remaining: 0 })
  })

  test('ends with its window, counted from the request of the lease', () => {
    const allowance = create()
    receive(allowance, { granted: 2, used: 50, secondsLeft: 1 })
    expect(takeLocally(allowance, 999)).toMatchObject({ allowed: true })
    expect(takeLocally(allowance, 1000)).toBeUndefined()
    expect(unusedPermits(allowance, 1000)).toEqual([])
  })

  test('keeps its permits in the same window and drops them in the next', () => {
    const allowance = create()
    receive(allowance, { granted: 3, used: 10 })
    receive(allowance, { granted: 4, used: 14 })
    expect(unusedPermits(allowance, 10)).toMatchObject([{ permits: 7 }])
    receive(allowance, { granted: 4, used: 4, endsAt: later })
    expect(unusedPermits(allowance, 10)).toMatchObject([{ permits: 4, endsAt: later }])
  })

  test('admits waiting requests even if the window has ended meanwhile', async () => {
    const allowance = create()
    const waited = [wait(allowance), wait(allowance), wait(allowance)]
    expect(demandOf(allowance)).toMatchObject({ needed: 3, ahead: 2 })
    receive(allowance, { granted: 2, used: 100, secondsLeft: 0.001 })
    expect((await Promise.all(waited)).map(({ allowed }) => allowed)).toEqual([true, true, false])
  })

  test('keeps requests waiting while further permits may be available', () => {
    const allowance = create()
    void wait(allowance)
    void wait(allowance)
    receive(allowance, { granted: 1, used: 10 })
    expect(demandOf(allowance)).toMatchObject({ needed: 1 })
  })

  test('leases as many ahead as it has admitted, within limits', () => {
    const allowance = create(10_000)
    receive(allowance, { granted: 200, used: 200 })
    const ahead = Array.from({ length: 100 }, (_, index) => {
      takeLocally(allowance, index)
      return demandOf(allowance).ahead
    })
    expect([ahead[0], ahead[9], ahead[99]]).toEqual([2, 10, 32])
  })

  test('needs more with a quarter left, unless the rest is too small to lease ahead', () => {
    const allowance = create()
    receive(allowance, { granted: 8, used: 90 })
    for (let taken = 0; taken < 5; taken += 1) takeLocally(allowance, 10)
    expect(needsMore(allowance)).toBe(false)
    takeLocally(allowance, 10)
    expect(needsMore(allowance)).toBe(true)
    receive(allowance, { granted: 0, used: 97 })
    expect(needsMore(allowance)).toBe(false)
  })

  test('with a changed limit is unknown, and gives back the permits of the previous limit', () => {
    const allowance = create(100)
    receive(allowance, { granted: 8, used: 50 })
    expect(changeLimit(allowance, 20, 10)).toEqual([{ key: allowance.key, permits: 8, endsAt }])
    expect(takeLocally(allowance, 10)).toBeUndefined()
    expect(receive(allowance, { granted: 8, used: 58 }, 100)).toEqual([
      { key: allowance.key, permits: 8, endsAt },
    ])
    expect(takeLocally(allowance, 10)).toBeUndefined()
    receive(allowance, { granted: 0, used: 58 }, 20)
    expect(takeLocally(allowance, 10)).toMatchObject({ allowed: false, limit: 20, remaining: 0 })
  })
})
