import { kernelFailure } from '#kernel/errors'
import type { ReservationRequest, ReservationWriter, ReserveOutcome } from './reserve.ts'
import { mayFitLater, nameOf } from './scopes.ts'

/** Calls that wait until money reserved by running calls returns. */
export interface WaitQueue extends Disposable {
  /** Reserves the money, if necessary after a wait. Throws as the writer does, and the reason of the signal when it aborts. */
  reserve(request: ReservationRequest, signal?: AbortSignal): Promise<ReserveOutcome>
  /** Tries waiting calls of the scopes of this request again: its money has returned. */
  wake(request: ReservationRequest): void
}

export interface WaitQueueOptions {
  readonly writer: Pick<ReservationWriter, 'reserve'>
  /** How long a call waits at most; 0: not at all. */
  readonly waitMs: number
  readonly maxPerAccount?: number
  readonly maxTotal?: number
}

interface Waiter {
  readonly request: ReservationRequest
  /** The order of arrival. */
  readonly number: number
  readonly resolve: (outcome: ReserveOutcome) => void
  readonly reject: (error: unknown) => void
  /** The name of the scope that it waits for. */
  queue: string
  isTrying: boolean
  /** Set when the wait is over because the caller left or the time is up. */
  onLeft: (() => void) | undefined
}

/** The calls that wait for one scope, in the order of their arrival. */
interface ScopeQueue {
  readonly waiters: Waiter[]
  isTrying: boolean
  /** Money returned during a try. */
  mustTryAgain: boolean
  timer: NodeJS.Timeout | undefined
  pauseMs: number
}

/** A try takes the first calls of a queue, so that one account does not fill the statements of all. */
const maxTried = 32

/** Money that other replicas release is found by trying again, with growing pauses. */
const [firstPauseMs, maxPauseMs] = [20, 200]

/**
 * | a call                                       | then                                                              |
 * |----------------------------------------------|-------------------------------------------------------------------|
 * | finds no queue at its scopes                 | tries at once                                                     |
 * | finds a queue at one of its scopes           | waits behind it                                                   |
 * | fits                                         | is admitted                                                       |
 * | does not fit even without reservations       | is refused                                                        |
 * | does not fit because of reservations         | waits for that scope, in the order of arrival                     |
 * | waits, and money of its scope returns        | tries again, after the calls before it                            |
 * | has waited for `waitMs`                      | tries a last time, past the calls before it; admitted or refused  |
 * | is cancelled                                 | leaves the queue                                                  |
 * | arrives when too many calls wait             | tries once; admitted or refused                                   |
 */
export function createWaitQueue(options: WaitQueueOptions): WaitQueue {
  const { writer, waitMs, maxPerAccount = 500, maxTotal = 10_000 } = options
  const queues = new Map<string, ScopeQueue>()
  const waitingOf = new Map<string, number>()
  let total = 0
  let arrivals = 0
  let isClosed = false

  const tryOnce = (request: ReservationRequest) => writer.reserve(request, { mayWait: false })

  function isFull({ accountId }: ReservationRequest): boolean {
    return total >= maxTotal || (waitingOf.get(accountId) ?? 0) >= maxPerAccount
  }

  function count({ accountId }: ReservationRequest, change: 1 | -1): void {
    total += change
    const waiting = (waitingOf.get(accountId) ?? 0) + change
    if (waiting === 0) waitingOf.delete(accountId)
    else waitingOf.set(accountId, waiting)
  }

  function join(waiter: Waiter): void {
    let queue = queues.get(waiter.queue)
    if (queue === undefined) {
      queue = { waiters: [], isTrying: false, mustTryAgain: false, timer: undefined, pauseMs: firstPauseMs }
      queues.set(waiter.queue, queue)
    }
    const after = queue.waiters.findLastIndex(({ number }) => number < waiter.number)
    queue.waiters.splice(after + 1, 0, waiter)
    if (!queue.isTrying) pause(waiter.queue, queue)
  }

  function leave(waiter: Waiter): void {
    const queue = queues.get(waiter.queue)
    const index = queue?.waiters.indexOf(waiter) ?? -1
    if (queue === undefined || index < 0) return
    queue.waiters.splice(index, 1)
    if (queue.waiters.length > 0) return
    clearTimeout(queue.timer)
    queues.delete(waiter.queue)
  }

  function pause(name: string, queue: ScopeQueue): void {
    queue.timer ??= setTimeout(() => {
      queue.timer = undefined
      queue.pauseMs = Math.min(queue.pauseMs * 2, maxPauseMs)
      void tryQueue(name)
    }, queue.pauseMs)
  }

  async function tryQueue(name: string): Promise<void> {
    const queue = queues.get(name)
    if (queue === undefined || isClosed) return
    if (queue.isTrying) {
      queue.mustTryAgain = true
      return
    }
    queue.isTrying = true
    clearTimeout(queue.timer)
    queue.timer = undefined
    for (;;) {
      queue.mustTryAgain = false
      const tried = queue.waiters.slice(0, maxTried)
      await Promise.all(tried.map(tryWaiter))
      const areAllGone = tried.every((waiter) => !queue.waiters.includes(waiter))
      if (areAllGone) queue.pauseMs = firstPauseMs
      if (queue.waiters.length === 0 || !(areAllGone || queue.mustTryAgain)) break
    }
    queue.isTrying = false
    if (queue.waiters.length > 0) pause(name, queue)
  }

  /** Does not throw. */
  async function tryWaiter(waiter: Waiter): Promise<void> {
    waiter.isTrying = true
    try {
      const shortage = await writer.reserve(waiter.request, { mayWait: true })
      waiter.isTrying = false
      if (shortage === undefined || !mayFitLater(waiter.request.microDollars, shortage)) {
        leave(waiter)
        waiter.resolve(shortage)
      } else if (waiter.onLeft !== undefined) {
        waiter.onLeft()
      } else if (nameOf(shortage.scope) !== waiter.queue) {
        leave(waiter)
        waiter.queue = nameOf(shortage.scope)
        join(waiter)
      }
    } catch (error) {
      waiter.isTrying = false
      leave(waiter)
      waiter.reject(error)
    }
  }

  /** Ends the wait of a call; the calls behind it may fit now. */
  function end(waiter: Waiter, onLeft: () => void): void {
    waiter.onLeft = onLeft
    leave(waiter)
    // The result of a running try comes first: it may have reserved the money.
    if (!waiter.isTrying) onLeft()
    void tryQueue(waiter.queue)
  }

  async function wait(
    request: ReservationRequest,
    { queue, number, signal }: { queue: string; number: number; signal: AbortSignal | undefined },
  ): Promise<ReserveOutcome> {
    const { promise, resolve, reject } = Promise.withResolvers<ReserveOutcome>()
    const waiter: Waiter = { request, number, resolve, reject, queue, isTrying: false, onLeft: undefined }
    const onAbort = () => end(waiter, () => reject(signal?.reason))
    const timer = setTimeout(() => end(waiter, () => resolve(tryOnce(request))), waitMs)
    signal?.addEventListener('abort', onAbort, { once: true })
    count(request, 1)
    join(waiter)
    try {
      return await promise
    } finally {
      count(request, -1)
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  return {
    async reserve(request, signal) {
      if (waitMs === 0 || isClosed) return await tryOnce(request)
      arrivals += 1
      const number = arrivals
      let queue = request.scopes.map(nameOf).find((name) => queues.has(name))
      if (queue === undefined) {
        const shortage = await writer.reserve(request, { mayWait: !isFull(request) })
        if (shortage === undefined || !mayFitLater(request.microDollars, shortage) || isFull(request))
          return shortage
        queue = nameOf(shortage.scope)
      } else if (isFull(request)) {
        return await tryOnce(request)
      }
      signal?.throwIfAborted()
      return await wait(request, { queue, number, signal })
    },
    wake(request) {
      for (const name of request.scopes.map(nameOf)) void tryQueue(name)
    },
    [Symbol.dispose]() {
      isClosed = true
      const open = [...queues.values()]
      for (const { timer } of open) clearTimeout(timer)
      for (const waiter of open.flatMap(({ waiters }) => waiters)) {
        end(waiter, () => waiter.reject(kernelFailure('shutting_down')))
      }
    },
  }
}
