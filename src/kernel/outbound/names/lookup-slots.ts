export interface LookupSlotsOptions {
  /** Most look-ups of one account at a time; more wait. */
  readonly perAccount: number
  /** Most look-ups at a time, of all accounts together. */
  readonly total: number
  /** Most look-ups of one account that wait; more are refused. */
  readonly maxWaiting: number
}

/** Limits how many look-ups run at a time, so that names without an answer delay only the account that uses them. */
export interface LookupSlots {
  /** Waits for a slot, which disposing gives back. Rejects with the signal's reason when that comes first. */
  take(account: string, signal: AbortSignal): Promise<Disposable>
}

interface Waiter {
  readonly account: string
  readonly start: (slot: Disposable) => void
}

export function createLookupSlots({ perAccount, total, maxWaiting }: LookupSlotsOptions): LookupSlots {
  const runningBy = new Map<string, number>()
  const waitingBy = new Map<string, number>()
  /** In the order they came. */
  const waiting = new Set<Waiter>()
  let running = 0

  const isFree = (account: string) => running < total && (runningBy.get(account) ?? 0) < perAccount

  function start(account: string): Disposable {
    running += 1
    count(runningBy, account, 1)
    let isOpen = true
    return {
      [Symbol.dispose]() {
        if (!isOpen) return
        isOpen = false
        running -= 1
        count(runningBy, account, -1)
        startWaiting()
      },
    }
  }

  /** The look-ups of an account that has all its slots are passed over: those of others come first. */
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
        throw new Error(`more than ${maxWaiting} look-ups of account ${account} are waiting`)
      }
      const { promise, resolve, reject } = Promise.withResolvers<Disposable>()
      const waiter = { account, start: resolve }
      const giveUp = () => {
        remove(waiter)
        reject(signal.reason)
      }
      waiting.add(waiter)
      count(waitingBy, account, 1)
      signal.addEventListener('abort', giveUp, { once: true })
      try {
        return await promise
      } finally {
        signal.removeEventListener('abort', giveUp)
      }
    },
  }
}

function count(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const now = (counts.get(key) ?? 0) + change
  if (now === 0) counts.delete(key)
  else counts.set(key, now)
}
