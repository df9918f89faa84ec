import { kernelFailure } from '#kernel/errors'

/**
 * Limits how many requests of one account the threads know, waiting and running.
 *
 * | a request arrives, or one ends           | a slot is free                      | none is free          |
 * |------------------------------------------|-------------------------------------|-----------------------|
 * | of a caller that can try again           | it has the slot                     | refused: `overloaded` |
 * | of a step, which must not fail for that  | it has the slot, in their order     | waits                 |
 */
export interface WaitingSlots {
  /** Throws `overloaded`. The maximum may be lower than that of all. */
  take(accountId: string, max?: number): Disposable
  /** Throws the reason of the signal. */
  wait(accountId: string, signal?: AbortSignal): Promise<Disposable>
}

interface AccountSlots {
  taken: number
  readonly waiting: Set<() => void>
}

export function createWaitingSlots(maxSlots: number): WaitingSlots {
  /** Accounts with slots. */
  const accounts = new Map<string, AccountSlots>()

  function accountOf(accountId: string): AccountSlots {
    const account = accounts.get(accountId) ?? { taken: 0, waiting: new Set() }
    accounts.set(accountId, account)
    return account
  }

  const isFree = ({ taken }: AccountSlots, max = maxSlots) => taken < max

  function open(accountId: string, account: AccountSlots): Disposable {
    account.taken += 1
    return {
      [Symbol.dispose]() {
        account.taken -= 1
        for (const enter of account.waiting) if (isFree(account)) enter()
        if (account.taken === 0) accounts.delete(accountId)
      },
    }
  }

  return {
    take(accountId, max = maxSlots) {
      const account = accountOf(accountId)
      if (!isFree(account, Math.min(max, maxSlots))) throw kernelFailure('overloaded')
      return open(accountId, account)
    },
    async wait(accountId, signal) {
      signal?.throwIfAborted()
      const account = accountOf(accountId)
      if (account.waiting.size === 0 && isFree(account)) return open(accountId, account)
      const { promise, resolve, reject } = Promise.withResolvers<Disposable>()
      const enter = () => {
        account.waiting.delete(enter)
        resolve(open(accountId, account))
      }
      const leave = () => {
        account.waiting.delete(enter)
        reject(signal?.reason)
      }
      account.waiting.add(enter)
      signal?.addEventListener('abort', leave, { once: true })
      try {
        return await promise
      } finally {
        signal?.removeEventListener('abort', leave)
      }
    },
  }
}
