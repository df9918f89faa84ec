import type { FastifyRequest } from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Pacing } from '#kernel/pacing'
import { type AccountSharesOptions, createAccountShares } from './account-shares.ts'
import { createRefusalPacing } from './refusal-pacing.ts'

const requestOf = (account: string | null, ip = '192.0.2.1') =>
  ({ principal: { id: account }, ip }) as unknown as FastifyRequest

/** A pacing that holds the requests of one account, and lets as many begin as are given. */
function holdRequestsOf(heavy: string) {
  let allowed = 0
  const counts = new Map<string, number>()
  const pacing: Pacing = {
    count: (owner) => void counts.set(owner, (counts.get(owner) ?? 0) + 1),
    isHeld: (owner) => owner.startsWith(heavy),
    heldOwners: () => [heavy],
    take(wanted) {
      const taken = Math.min(wanted, allowed)
      allowed -= taken
      return taken
    },
  }
  return {
    pacing,
    allow: (units: number): void => void (allowed += units),
    begunOf: (owner: string) => counts.get(owner) ?? 0,
  }
}

const createShares = (options: Partial<AccountSharesOptions> = {}) =>
  createAccountShares({ maxStreams: 2, ...options })

test('requests of a held account wait until they may begin, and others do not', async () => {
  const { pacing, allow, begunOf } = holdRequestsOf('greedy')
  const shares = createShares({ pacing })
  allow(1)
  await shares.enter(requestOf('greedy'))
  const waiting = [shares.enter(requestOf('greedy')), shares.enter(requestOf('greedy'))]
  await shares.enter(requestOf('modest'))
  expect([begunOf('greedy'), begunOf('modest')]).toEqual([1, 1])
  allow(1)
  await waiting[0]
  expect(begunOf('greedy')).toBe(2)
  allow(1)
  await Promise.all(waiting)
})

test('held accounts take turns', async () => {
  const { pacing, allow, begunOf } = holdRequestsOf('greedy')
  const shares = createShares({ pacing })
  const many = Array.from({ length: 20 }, () => shares.enter(requestOf('greedy one')))
  const few = [shares.enter(requestOf('greedy other')), shares.enter(requestOf('greedy other'))]
  allow(4)
  await Promise.all(few)
  expect(begunOf('greedy one')).toBe(2)
  allow(18)
  await Promise.all(many)
})

test('a request waits no longer than a time, and no more than a number of them wait', async () => {
  const { pacing } = holdRequestsOf('greedy')
  const refusal = { code: 'too_many_requests', status: 429, retryAfterSeconds: 1 }
  const short = createShares({ pacing, maxWaitMs: 20 })
  await expect(short.enter(requestOf('greedy'))).rejects.toMatchObject(refusal)
  const few = createShares({ pacing, maxWaiting: 2 })
  const waiting = Promise.allSettled([few.enter(requestOf('greedy')), few.enter(requestOf('greedy'))])
  await expect(few.enter(requestOf('greedy'))).rejects.toMatchObject(refusal)
  await few.enter(requestOf('modest'))
  void waiting
})

test('streams are limited by account, and by address without one', () => {
  const shares = createShares()
  const first = shares.openStream(requestOf('one'))
  shares.openStream(requestOf('one'))
  expect(() => shares.openStream(requestOf('one'))).toThrow(/2 open event streams/)
  shares.openStream(requestOf('other'))
  first[Symbol.dispose]()
  shares.openStream(requestOf('one'))
  for (const ip of ['192.0.2.1', '192.0.2.1', '192.0.2.2']) shares.openStream(requestOf(null, ip))
  expect(() => shares.openStream(requestOf(null, '192.0.2.1'))).toThrow(/2 open event streams/)
})

test('refusals of a caller who ignores them wait for the next second, those of others do not', async () => {
  // The next second must not begin in between.
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const pacing = createRefusalPacing({ free: 3, maxWaiting: 2 })
  const sent: string[] = []
  const waits = ['a', 'a', 'a', 'a', 'b', 'a', 'a'].map(async (caller, index) => {
    await pacing.wait(caller)
    sent.push(`${caller}${index}`)
  })
  await vi.advanceTimersByTimeAsync(1000)
  await Promise.all(waits)
  // The last one is beyond the refusals that may wait.
  expect(sent).toEqual(['a0', 'a1', 'a2', 'b4', 'a6', 'a3', 'a5'])
})
