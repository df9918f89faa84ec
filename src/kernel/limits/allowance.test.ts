import { describe, expect, test } from 'vitest'
import {
  type Allowance,
  changeLimit,
  createAllowance,
  demandOf,
  receiveLease,
  runsLow,
  type Taken,
  takeKnown,
  unusedOf,
} from './allowance.ts'
import type { Lease } from './shared-counts.ts'

const endsAt = new Date('2026-11-15T12:00:00Z')
const later = new Date('2026-11-15T13:00:00Z')

const create = (limit = 100) => createAllowance(Buffer.alloc(32), limit, 60)

/** Hands a lease over that was asked for at 0 and came at 5 milliseconds. */
function receive(allowance: Allowance, lease: Partial<Lease>, limit = allowance.limit) {
  return receiveLease(
    allowance,
    { granted: 0, used: 0, endsAt, secondsLeft: 60, ...lease },
    { limit, askedAtMs: 0, nowMs: 5 },
  )
}

function wait(allowance: Allowance): Promise<Taken> {
  return new Promise((resolve, reject) => {
    allowance.waiting.push({ resolve, reject })
  })
}

describe('an allowance', () => {
  test('knows nothing before it has a lease', () => {
    expect(takeKnown(create(), 0)).toBeUndefined()
  })

  test('admits as often as it was granted, then has to ask, then refuses when nothing is left', () => {
    const allowance = create()
    receive(allowance, { granted: 2, used: 50 })
    expect(takeKnown(allowance, 10)).toMatchObject({ allowed: true, remaining: 51, resetsAt: endsAt })
    expect(takeKnown(allowance, 20)).toMatchObject({ allowed: true, remaining: 50, secondsLeft: 59.98 })
    expect(takeKnown(allowance, 30)).toBeUndefined()
    receive(allowance, { granted: 0, used: 100 })
    expect(takeKnown(allowance, 40)).toMatchObject({ allowed: false, remaining: 0 })
  })

  test('ends with its window, counted from when it was asked for', () => {
    const allowance = create()
    receive(allowance, { granted: 2, used: 50, secondsLeft: 1 })
    expect(takeKnown(allowance, 999)).toMatchObject({ allowed: true })
    expect(takeKnown(allowance, 1000)).toBeUndefined()
    expect(unusedOf(allowance, 1000)).toEqual([])
  })

  test('keeps what it has in the same window, and nothing of it in the next', () => {
    const allowance = create()
    receive(allowance, { granted: 3, used: 10 })
    receive(allowance, { granted: 4, used: 14 })
    expect(unusedOf(allowance, 10)).toMatchObject([{ permits: 7 }])
    receive(allowance, { granted: 4, used: 4, endsAt: later })
    expect(unusedOf(allowance, 10)).toMatchObject([{ permits: 4, endsAt: later }])
  })

  test('gives who waited their permit even when the window ended on the way', async () => {
    const allowance = create()
    const waited = [wait(allowance), wait(allowance), wait(allowance)]
    expect(demandOf(allowance)).toMatchObject({ needed: 3, ahead: 2 })
    receive(allowance, { granted: 2, used: 100, secondsLeft: 0.001 })
    expect((await Promise.all(waited)).map(({ allowed }) => allowed)).toEqual([true, true, false])
  })

  test('lets those wait on for whom there may be more', () => {
    const allowance = create()
    void wait(allowance)
    void wait(allowance)
    receive(allowance, { granted: 1, used: 10 })
    expect(demandOf(allowance)).toMatchObject({ needed: 1 })
  })

  test('asks for as many ahead as it has admitted, within bounds', () => {
    const allowance = create(10_000)
    receive(allowance, { granted: 200, used: 200 })
    const ahead = Array.from({ length: 100 }, (_, index) => {
      takeKnown(allowance, index)
      return demandOf(allowance).ahead
    })
    expect([ahead[0], ahead[9], ahead[99]]).toEqual([2, 10, 32])
  })

  test('runs low with a quarter left, unless the rest is too little to take ahead', () => {
    const allowance = create()
    receive(allowance, { granted: 8, used: 90 })
    for (let taken = 0; taken < 5; taken += 1) takeKnown(allowance, 10)
    expect(runsLow(allowance)).toBe(false)
    takeKnown(allowance, 10)
    expect(runsLow(allowance)).toBe(true)
    receive(allowance, { granted: 0, used: 97 })
    expect(runsLow(allowance)).toBe(false)
  })

  test('of another limit knows nothing, and gives back what was granted under the one before', () => {
    const allowance = create(100)
    receive(allowance, { granted: 8, used: 50 })
    expect(changeLimit(allowance, 20, 10)).toEqual([{ key: allowance.key, permits: 8, endsAt }])
    expect(takeKnown(allowance, 10)).toBeUndefined()
    expect(receive(allowance, { granted: 8, used: 58 }, 100)).toEqual([
      { key: allowance.key, permits: 8, endsAt },
    ])
    expect(takeKnown(allowance, 10)).toBeUndefined()
    receive(allowance, { granted: 0, used: 58 }, 20)
    expect(takeKnown(allowance, 10)).toMatchObject({ allowed: false, limit: 20, remaining: 0 })
  })
})
