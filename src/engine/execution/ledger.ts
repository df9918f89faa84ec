import type { Budget } from '#models'
import { StepFailure } from '../steps/step-failure.ts'
import type { Rules } from './rules.ts'

/** The costs of an execution, or of one scope in it, in whole micro-dollars. */
export interface Ledger {
  readonly callBudget: Budget
  spent(): number
  /** Reserved for calls in progress. */
  reserved(): number
  /** A nested budget, for example of one item of a loop. Its calls have to fit into this ledger, too. */
  scope(limit: number, options: ScopeOptions): Ledger
}

interface ScopeOptions {
  /** Names the scope in failures: a step path. */
  readonly name: string
  /** The costs of the scope before the worker resumed the execution; the ledgers around it count them already. */
  readonly spentBefore?: number | undefined
}

interface LedgerOptions {
  readonly rules: Pick<Rules, 'budget' | 'abortsOverBudget' | 'costAlerts'>
  /** The costs of earlier leases, including the reservations of a crashed worker: the outcome of its calls is unknown. */
  readonly spentBefore: number
  /** The daily budget of the account. */
  readonly account: Budget
  /** Commits the reservation, so that it survives a crash. */
  readonly persist: () => Promise<void>
  readonly onAlert: (alert: { readonly threshold: number; readonly spent: number }) => void
  readonly onOverBudget: (over: { readonly budget: number; readonly wanted: number }) => void
}

/** One limit, with what is spent and reserved of it. */
interface Level {
  /** Undefined: the budget of the execution. */
  readonly scope: string | undefined
  readonly limit: number
  spent: number
  reserved: number
}

/** A call that waits until money reserved for other calls returns. */
interface Waiter {
  readonly amount: number
  readonly levels: readonly Level[]
  readonly admit: () => void
  readonly refuse: (failure: StepFailure) => void
}

/**
 * Keeps an execution within its budget. The maximum cost of a call is reserved before the call, so that parallel calls cannot exceed
 * the budget together; the true cost replaces the reservation afterwards.
 *
 * | a call, at the budget of its scope and every budget around it | then                                                            |
 * |---------------------------------------------------------------|-----------------------------------------------------------------|
 * | does not fit into what is not spent                           | fails: the execution, or the scope whose limit it would exceed  |
 * | fits only without the reservations of running calls           | waits until one settles, in order of arrival                    |
 * | fits, but a call before it waits for the same budget          | waits behind it                                                 |
 * | fits                                                          | is reserved                                                     |
 * | waits, and its signal aborts                                  | leaves the queue                                                |
 *
 * A call that waits has reserved nothing, and running calls always settle: there is no deadlock. With
 * `auto_abort_on_budget_exceeded: false` the budget of the execution only warns, so no call waits for it.
 */
export function createLedger(options: LedgerOptions): Ledger {
  const { rules, account, persist, onAlert, onOverBudget } = options
  const { budget, abortsOverBudget, costAlerts } = rules
  const root: Level = {
    scope: undefined,
    limit: budget === null || !abortsOverBudget ? Number.POSITIVE_INFINITY : budget,
    spent: options.spentBefore,
    reserved: 0,
  }
  let waiting: Waiter[] = []
  let warned = false

  function warnOverBudget(amount: number): void {
    const wanted = root.spent + root.reserved + amount
    if (warned || abortsOverBudget || budget === null || wanted <= budget) return
    warned = true
    onOverBudget({ budget, wanted })
  }

  function spend(levels: readonly Level[], amount: number): void {
    const before = root.spent
    for (const level of levels) level.spent += amount
    for (const threshold of costAlerts) {
      if (before < threshold && root.spent >= threshold) onAlert({ threshold, spent: root.spent })
    }
  }

  /** Gives money back to the levels, and admits the calls that fit now. */
  function release(levels: readonly Level[], amount: number): void {
    for (const level of levels) level.reserved -= amount
    admitWaiting()
  }

  function admitWaiting(): void {
    /** Levels that a call waits for: calls behind it must not take their money. */
    const contended = new Set<Level>()
    waiting = waiting.filter((waiter) => {
      const { amount, levels, admit, refuse } = waiter
      const exceeded = levels.find(({ spent, limit }) => spent + amount > limit)
      if (exceeded !== undefined) {
        refuse(refusalOf(exceeded, amount))
        return false
      }
      const short = levels.filter(({ spent, reserved, limit }) => spent + reserved + amount > limit)
      for (const level of short) contended.add(level)
      if (levels.some((level) => contended.has(level))) return true
      for (const level of levels) level.reserved += amount
      admit()
      return false
    })
  }

  /** Resolves once the amount is reserved at all levels. */
  async function reserveAt(levels: readonly Level[], amount: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter: Waiter = { amount, levels, admit: resolve, refuse: reject }
    const leave = () => {
      if (!waiting.includes(waiter)) return
      waiting = waiting.filter((other) => other !== waiter)
      reject(signal?.reason)
      admitWaiting()
    }
    waiting.push(waiter)
    admitWaiting()
    if (waiting.includes(waiter)) signal?.addEventListener('abort', leave, { once: true })
    try {
      await promise
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  /** `levels` begins with the innermost scope and ends with the budget of the execution. */
  function ledgerOf(own: Level, levels: readonly Level[]): Ledger {
    return {
      spent: () => own.spent,
      reserved: () => own.reserved,
      callBudget: {
        left: () => Math.min(...levels.map(({ limit, spent, reserved }) => limit - spent - reserved)),
        async reserve(amount, reservedFor, signal) {
          warnOverBudget(amount)
          if (amount === 0) return account.reserve(0, reservedFor, signal)
          await reserveAt(levels, amount, signal)
          const taken = await account.reserve(amount, reservedFor, signal).catch((error: unknown) => {
            release(levels, amount)
            throw error
          })
          await persist().catch(async (error: unknown) => {
            release(levels, amount)
            await taken.settle(0)
            throw error
          })
          return {
            async settle(cost) {
              spend(levels, cost)
              release(levels, amount)
              return await taken.settle(cost)
            },
          }
        },
      },
      scope(limit, { name, spentBefore = 0 }) {
        const inner: Level = { scope: name, limit, spent: spentBefore, reserved: 0 }
        return ledgerOf(inner, [inner, ...levels])
      },
    }
  }

  return ledgerOf(root, [root])
}

function refusalOf({ scope, limit, spent, reserved }: Level, amount: number): StepFailure {
  const owner = scope === undefined ? "the execution's" : `the budget of ${scope}, which is`
  return new StepFailure({
    code: 'INSUFFICIENT_CREDITS',
    message: `This call could cost ${dollars(amount)}, and only ${dollars(Math.max(0, limit - spent))} of ${owner} ${dollars(limit)} are left. Raise the limit, or choose a cheaper model or fewer tokens.`,
    details: {
      ...(scope !== undefined && { scope }),
      budget: limit / 1e6,
      spent: spent / 1e6,
      reserved: reserved / 1e6,
      wanted: amount / 1e6,
    },
  })
}

function dollars(amount: number): string {
  return `$${(amount / 1e6).toFixed(6).replace(/0{1,4}$/, '')}`
}
