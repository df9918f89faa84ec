export interface LookupSlotsOptions {
  /** Maximum number of concurrent lookups of one account; more wait. */
  readonly perAccount: number
  /** Maximum number of concurrent lookups of all accounts. */
  readonly total: number
  /** Maximum number of waiting lookups of one account; more are refused. */
  readonly maxWaiting: number
}

/** Limits concurrent lookups, so that names whose servers do not respond only delay the account that uses them. */
export interface LookupSlots {
  /** Waits for a slot; dispose it to release it. Rejects with the signal's reason, or when too many lookups wait. */
  take(account: string, signal: AbortSignal): Promise<Disposable>
}

interface Waiter {
  readonly account: string
  readonly start: (slot: Disposable) => void
}

export function createLookupSlots({ perAccount, total, maxWaiting }: LookupSlotsOptions): LookupSlots {
  const runningBy = new Map<string, number>()
  const waitingBy = new Map<string, number>()
  /** In order of arrival. */
  const waiting = new Set<Waiter>()
  let running = 0

  const isFree = (account: string) => running < total && (runningBy.get(account) ?? 0) < perAccount

  function start(account: string): Disposable {
    running += 1
    count(runningBy, account, 1)
    let isTaken = true
    return {
      [Symbol.dispose]() {
        if (!isTaken) return
        isTaken = false
        running -= 1
        count(runningBy, account, -1)
        startWaiting()
      },
    }
  }

  /** Skips accounts that use all their slots. */
  function startWaiting(): void {
    for (const waiter of waiting) {
      if (running >= total) return
      if (!isFree(waiter.account)) continue
      remove(waiter)
      waiter.start(start(waiter.account))
    }
  }

  function remove(waiter: Waiter): void {
    if (waiting.delete(waiter)) count(waitingBy, waiter.account, -1)
  }

  return {
    async take(account, signal) {
      signal.throwIfAborted()
      if (isFree(account)) return start(account)
      if ((waitingBy.get(account) ?? 0) >= maxWaiting) {
        throw new Error(`more than ${maxWaiting} lookups of account ${account} are waiting`)
      }
      const { promise, resolve, reject } = Promise.withResolvers<Disposable>()
      const waiter = { account, start: resolve }
      const rejectOnAbort = () => {
        remove(waiter)
        reject(signal.reason)
      }
      waiting.add(waiter)
      count(waitingBy, account, 1)
      signal.addEventListener('abort', rejectOnAbort, { once: true })
      try {
        return await promise
      } finally {
        signal.removeEventListener('abort', rejectOnAbort)
      }
    },
  }
}

function count(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const now = (counts.get(key) ?? 0) + change
  if (now === 0) counts.delete(key)
  else counts.set(key, now)
}
