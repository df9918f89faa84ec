import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { kernelFailure } from '#kernel/errors'
import { createPacing, type Pacing } from '#kernel/pacing'

export interface AccountSharesOptions {
  /** Event streams that one account may have open at this server. */
  readonly maxStreams: number
  /** Whether requests wait for something beside the processor. */
  readonly isContended?: (() => boolean) | undefined
  readonly pacing?: Pacing
  /** How long a request waits at most. */
  readonly maxWaitMs?: number
  /** Requests of one account that may wait. */
  readonly maxWaiting?: number
}

/**
 * Shares the server between accounts, and between addresses of callers without one.
 *
 * - Event streams: a fixed number for each account.
 * - Requests: no limit while the process is idle for long enough. While it is not, requests of an account that sends much more than others
 *   wait for their turn, so that the many requests of one account do not hold up the few of others. Large bodies and responses count more.
 */
export interface AccountShares {
  /** Resolves when the request may begin. Throws `too_many_requests` when too many wait, or this one for too long. */
  enter(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** Counts an event stream until it is disposed. Throws `too_many_requests` when the account has as many as it may. */
  openStream(request: FastifyRequest): Disposable
}

interface WaitingRequest {
  readonly untilMs: number
  readonly begin: () => void
  readonly refuse: () => void
}

/** A request counts one unit more for each of these. */
const bytesOfUnit = 1024 * 1024
/** How often waiting requests are let in. */
const turnMs = 10

/** Creates the counters of one server. */
export function createAccountShares({
  maxStreams,
  isContended,
  pacing = createPacing({ isContended }),
  maxWaitMs = 10_000,
  maxWaiting = 500,
}: AccountSharesOptions): AccountShares {
  /** By account, in the order in which they have their turns. */
  const waiting = new Map<string, WaitingRequest[]>()
  const streams = new Map<string, number>()
  let turns: NodeJS.Timeout | undefined

  async function waitForTurn(account: string): Promise<void> {
    const queue = waiting.get(account) ?? []
    if (queue.length >= maxWaiting) throw tooBusy()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    queue.push({
      untilMs: performance.now() + maxWaitMs,
      begin: resolve,
      refuse: () => reject(tooBusy()),
    })
    waiting.set(account, queue)
    turns ??= setInterval(takeTurns, turnMs)
    await promise
  }

  /** Lets in one request of each account after the other, as many as may begin. */
  function takeTurns(): void {
    const nowMs = performance.now()
    for (const [account, queue] of waiting) {
      while (queue[0] !== undefined && queue[0].untilMs <= nowMs) queue.shift()?.refuse()
      if (queue.length === 0) waiting.delete(account)
    }
    const count = [...waiting.values()].reduce((sum, { length }) => sum + length, 0)
    for (let left = pacing.take(count); left > 0; left -= 1) {
      const [[account, queue] = ['', []]] = waiting
      waiting.delete(account)
      queue.shift()?.begin()
      if (queue.length > 0) waiting.set(account, queue)
    }
    if (waiting.size > 0) return
    clearInterval(turns)
    turns = undefined
  }

  function countBytes(account: string, bytes: number): void {
    if (bytes >= bytesOfUnit) pacing.countMore(account, bytes / bytesOfUnit)
  }

  return {
    async enter(request, { raw: response }) {
      const account = accountOf(request)
      if (pacing.isHeld(account) && (waiting.has(account) || pacing.take(1) === 0)) await waitForTurn(account)
      pacing.count(account)
      const announced = Math.min(
        Number(request.headers['content-length'] ?? 0),
        request.routeOptions.bodyLimit,
      )
      countBytes(account, announced)
      const { socket } = request
      const before = transferredBytes(socket)
      response.once('close', () => countBytes(account, transferredBytes(socket) - before - announced))
    },
    openStream(request) {
      const account = accountOf(request)
      const open = streams.get(account) ?? 0
      if (open >= maxStreams) {
        throw kernelFailure('too_many_requests', {
          message: `This account has ${maxStreams} open event streams here, and no more are allowed. Close some of them.`,
          details: { limit: maxStreams },
          retryAfterSeconds: 5,
        })
      }
      streams.set(account, open + 1)
      return {
        [Symbol.dispose]() {
          const left = (streams.get(account) ?? 1) - 1
          if (left > 0) streams.set(account, left)
          else streams.delete(account)
        },
      }
    },
  }

  function tooBusy() {
    return kernelFailure('too_many_requests', {
      message: `The server is busy, and your account sends many more requests than others, or much larger ones. Send fewer at once.`,
      details: { waiting: maxWaiting, wait_seconds: maxWaitMs / 1000 },
      retryAfterSeconds: 1,
    })
  }
}

/** In both directions. */
function transferredBytes({ bytesRead, bytesWritten }: Socket): number {
  return bytesRead + bytesWritten
}

function accountOf({ principal, ip }: FastifyRequest): string {
  return principal.id ?? ip
}
