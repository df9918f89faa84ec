import { kernelFailure } from '#kernel/errors'
import type { ProviderName } from '../providers/provider.ts'
import { allModels, limitKey } from './model-limits.ts'

/** A call that needs a slot of its model and one of its provider. */
export interface SlotRequest {
  readonly provider: ProviderName
  readonly model: string
  readonly accountId: string
}

/** The slots of a running call. */
export interface Slot {
  /** Frees the slots for waiting calls. May be called more than once. */
  release(): void
}

/** Why a call gets no slot. */
export type SlotRefusal = 'timed_out' | 'queue_full'

/** The concurrency slots of this process, and the calls that wait for one. */
export interface SlotQueue extends Disposable {
  /** Takes the slots at once; undefined when a limit is reached. */
  take(request: SlotRequest): Slot | undefined
  /** Takes the slots, if necessary after a wait. Throws the reason of the signal, and `shutting_down`. */
  wait(request: SlotRequest, signal: AbortSignal): Promise<Slot | SlotRefusal>
  /** The scope whose limit keeps the call out, by `limitKey`; undefined when none does. */
  blockedBy(request: SlotRequest): string | undefined
  /** Admits waiting calls that the limits allow now. Call it when a limit has changed. */
  recheck(): void
  /** Number of waiting calls. */
  waiting(): number
}

export interface SlotQueueOptions {
  /** The current limit of a scope, by `limitKey`. */
  readonly maxOf: (scope: string) => number | undefined
  /** How long a call waits at most; 0: not at all. */
  readonly waitMs: number
  readonly maxPerAccount?: number
  readonly maxTotal?: number
}

interface Waiter extends SlotRequest {
  readonly resolve: (outcome: Slot | SlotRefusal) => void
  readonly reject: (error: unknown) => void
}

/** The waiting calls of a provider by account, the account whose turn it is first. */
type Turns = Map<string, Waiter[]>

/**
 * | state   | on                                                           | then                            | next    |
 * |---------|--------------------------------------------------------------|---------------------------------|---------|
 * | new     | slots of its model and its provider are free                 | takes them                      | running |
 * | new     | a limit is reached, and too many calls wait already          | refused: `queue_full`           | ended   |
 * | new     | a limit is reached                                           | joins the calls of its account  | waiting |
 * | waiting | its slots are free and it is the turn of its account         | takes them                      | running |
 * | waiting | `waitMs` have passed                                         | refused: `timed_out`            | ended   |
 * | waiting | its signal aborts                                            | its reason is thrown            | ended   |
 * | waiting | the process shuts down                                       | `shutting_down` is thrown       | ended   |
 * | running | it is released                                               | its slots go to a waiting call  | ended   |
 *
 * The accounts that wait for a provider take turns. The calls of an account for one model keep their order; a call for a model whose slots
 * are all taken does not hold up calls for other models. A new call never overtakes: free slots have no waiting call that could use them.
 *
 * All calls are counted, also those without a limit, so that a new limit holds from its first moment.
 */
export function createSlotQueue(options: SlotQueueOptions): SlotQueue {
  const { maxOf, waitMs, maxPerAccount = 200, maxTotal = 2000 } = options
  const running = new Map<string, number>()
  const turnsOf = new Map<ProviderName, Turns>()
  const waitingOf = new Map<string, number>()
  let total = 0

  const isFull = (scope: string) => (running.get(scope) ?? 0) >= (maxOf(scope) ?? Number.POSITIVE_INFINITY)
  const fits = (request: SlotRequest) => !scopesOf(request).some(isFull)

  function take(request: SlotRequest): Slot {
    const scopes = scopesOf(request)
    for (const scope of scopes) add(running, scope, 1)
    let isReleased = false
    return {
      release() {
        if (isReleased) return
        isReleased = true
        // Without a full scope there is no call that waits for these slots.
        const mayAdmit = scopes.some(isFull)
        for (const scope of scopes) add(running, scope, -1)
        if (mayAdmit) admitWaiting(request.provider)
      },
    }
  }

  function admitWaiting(provider: ProviderName): void {
    for (let next = findNext(provider); next !== undefined; next = findNext(provider)) {
      leave(next)
      next.resolve(take(next))
    }
  }

  function findNext(provider: ProviderName): Waiter | undefined {
    if (isFull(limitKey(provider, allModels))) return undefined
    for (const waiters of turnsOf.get(provider)?.values() ?? []) {
      const next = waiters.find(fits)
      if (next !== undefined) return next
    }
    return undefined
  }

  function join(waiter: Waiter): void {
    const turns: Turns = turnsOf.get(waiter.provider) ?? new Map<string, Waiter[]>()
    turnsOf.set(waiter.provider, turns)
    const waiters = turns.get(waiter.accountId)
    if (waiters === undefined) turns.set(waiter.accountId, [waiter])
    else waiters.push(waiter)
    total += 1
    add(waitingOf, waiter.accountId, 1)
  }

  /** Removes a waiting call. Returns whether it was still waiting. */
  function remove(waiter: Waiter): boolean {
    const turns = turnsOf.get(waiter.provider)
    const waiters = turns?.get(waiter.accountId) ?? []
    const index = waiters.indexOf(waiter)
    if (turns === undefined || index < 0) return false
    waiters.splice(index, 1)
    if (waiters.length === 0) turns.delete(waiter.accountId)
    if (turns.size === 0) turnsOf.delete(waiter.provider)
    total -= 1
    add(waitingOf, waiter.accountId, -1)
    return true
  }

  /** Removes a call that is admitted: the next turn is that of another account. */
  function leave(waiter: Waiter): void {
    remove(waiter)
    const turns = turnsOf.get(waiter.provider)
    const rest = turns?.get(waiter.accountId)
    if (turns === undefined || rest === undefined) return
    turns.delete(waiter.accountId)
    turns.set(waiter.accountId, rest)
  }

  return {
    take: (request) => (fits(request) ? take(request) : undefined),

    async wait(request, signal) {
      signal.throwIfAborted()
      if (fits(request)) return take(request)
      if (waitMs === 0) return 'timed_out'
      if (total >= maxTotal || (waitingOf.get(request.accountId) ?? 0) >= maxPerAccount) return 'queue_full'
      const { promise, resolve, reject } = Promise.withResolvers<Slot | SlotRefusal>()
      const waiter: Waiter = { ...request, resolve, reject }
      const onAbort = () => {
        if (remove(waiter)) reject(signal.reason)
      }
      const timer = setTimeout(() => {
        if (remove(waiter)) resolve('timed_out')
      }, waitMs)
      signal.addEventListener('abort', onAbort, { once: true })
      join(waiter)
      try {
        return await promise
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
      }
    },

    blockedBy: (request) => scopesOf(request).find(isFull),

    recheck() {
      for (const provider of turnsOf.keys()) admitWaiting(provider)
    },

    waiting: () => total,

    [Symbol.dispose]() {
      const waiters = [...turnsOf.values()].flatMap((turns) => [...turns.values()].flat())
      for (const waiter of waiters) {
        remove(waiter)
        waiter.reject(kernelFailure('shutting_down'))
      }
    },
  }
}

function scopesOf({ provider, model }: SlotRequest): readonly string[] {
  return [limitKey(provider, allModels), limitKey(provider, model)]
}

/** Counts without keeping zeros, so that the map does not grow. */
function add(counts: Map<string, number>, name: string, by: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + by
  if (count === 0) counts.delete(name)
  else counts.set(name, count)
}
