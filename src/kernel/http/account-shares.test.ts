import { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Pacing } from '#kernel/pacing'
import { type AccountSharesOptions, createAccountShares } from './account-shares.ts'
import { createRefusalPacing } from './refusal-pacing.ts'

const requestOf = (account: string | null, ip = '192.0.2.1') =>
  ({ principal: { id: account }, ip, headers: {}, routeOptions: {}, socket: {} }) as unknown as FastifyRequest
const reply = { raw: new EventEmitter().setMaxListeners(0) } as unknown as FastifyReply

/** A pacing that holds the requests of one account, and lets as many begin as are given. */
function holdRequestsOf(heavy: string) {
  let allowed = 0
  const counts = new Map<string, number>()
  const pacing: Pacing = {
    count: (owner) => pacing.countMore(owner, 1),
    countMore: (owner, units) => void counts.set(owner, (counts.get(owner) ?? 0) + units),
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
  await shares.enter(requestOf('greedy'), reply)
  const waiting = [shares.enter(requestOf('greedy'), reply), shares.enter(requestOf('greedy'), reply)]
  await shares.enter(requestOf('modest'), reply)
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
  const many = Array.from({ length: 20 }, () => shares.enter(requestOf('greedy one'), reply))
  const few = [shares.enter(requestOf('greedy other'), reply), shares.enter(requestOf('greedy other'), reply)]
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
  await expect(short.enter(requestOf('greedy'), reply)).rejects.toMatchObject(refusal)
  const few = createShares({ pacing, maxWaiting: 2 })
  const waiting = Promise.allSettled([
    few.enter(requestOf('greedy'), reply),
    few.enter(requestOf('greedy'), reply),
  ])
  await expect(few.enter(requestOf('greedy'), reply)).rejects.toMatchObject(refusal)
  await few.enter(requestOf('modest'), reply)
  void waiting
})

test('the bytes of bodies and responses count, each once', async () => {
  const { pacing, begunOf } = holdRequestsOf('greedy')
  const shares = createShares({ pacing })
  const MiB = 1024 * 1024

  /** Units before and after the response. */
  async function countUnits(account: string, announced: number | undefined, read: number, written: number) {
    const socket = { bytesRead: 3 * MiB, bytesWritten: 5 * MiB }
    const raw = new EventEmitter()
    const request = {
      ...requestOf(account),
      headers: announced === undefined ? {} : { 'content-length': String(announced) },
      routeOptions: { bodyLimit: 8 * MiB },
      socket,
    } as unknown as FastifyRequest
    await shares.enter(request, { raw } as unknown as FastifyReply)
    const before = begunOf(account)
    socket.bytesRead += read
    socket.bytesWritten += written
    raw.emit('close')
    return [before, begunOf(account)]
  }

  expect(await countUnits('small', 1000, 1200, 1000)).toEqual([1, 1])
  expect(await countUnits('body', 4 * MiB, 4 * MiB, 1000)).toEqual([5, 5])
  expect(await countUnits('body of unknown length', undefined, 4 * MiB, 0)).toEqual([1, 5])
  expect(await countUnits('response', undefined, 0, 2 * MiB)).toEqual([1, 3])
  expect(await countUnits('body that is refused', 1e12, 0, 0)).toEqual([9, 9])
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
