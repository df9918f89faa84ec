import type { Purse } from '#models'
import { StepFailure } from '../steps/step-failure.ts'
import type { Rules } from './rules.ts'

/** The money of one execution, in whole micro-dollars. */
export interface Ledger {
  readonly purse: Purse
  spent(): number
  /** Set aside for calls under way. */
  reserved(): number
}

interface LedgerOptions {
  readonly rules: Pick<Rules, 'budget' | 'abortsOverBudget' | 'costAlerts'>
  /** What was spent before; what was reserved when its worker died counts too, because nobody knows what became of it. */
  readonly spentBefore: number
  /** The account's own money, which has a limit for the day. */
  readonly account: Purse
  /** Makes what is reserved durable: after a crash nobody else would know of it. */
  readonly persist: () => Promise<void>
  readonly onAlert: (alert: { readonly threshold: number; readonly spent: number }) => void
  readonly onOverBudget: (over: { readonly budget: number; readonly wanted: number }) => void
}

/**
 * Keeps an execution within its budget. The most a call can cost is set aside before it is made, so that calls side by side
 * cannot pass the budget together; what it did cost takes its place afterwards.
 */
export function createLedger(options: LedgerOptions): Ledger {
  const { rules, account, persist, onAlert, onOverBudget } = options
  const { budget, abortsOverBudget, costAlerts } = rules
  let spent = options.spentBefore
  let reserved = 0
  let warned = false

  function requireRoom(amount: number): void {
    if (budget === null || spent + reserved + amount <= budget) return
    const wanted = spent + reserved + amount
    if (abortsOverBudget) {
      throw new StepFailure({
        code: 'INSUFFICIENT_CREDITS',
        message: `This call could cost ${dollars(amount)}, and only ${dollars(Math.max(0, budget - spent - reserved))} of the execution's ${dollars(budget)} are left. Raise the limit, or choose a cheaper model or fewer tokens.`,
        details: { budget: budget / 1e6, spent: spent / 1e6, reserved: reserved / 1e6, wanted: amount / 1e6 },
      })
    }
    if (!warned) onOverBudget({ budget, wanted })
    warned = true
  }

  function spend(amount: number): void {
    const before = spent
    spent += amount
    for (const threshold of costAlerts)
      if (before < threshold && spent >= threshold) onAlert({ threshold, spent })
  }

  return {
    spent: () => spent,
    reserved: () => reserved,
    purse: {
      async reserve(amount, reservedFor) {
        requireRoom(amount)
        if (amount === 0) return account.reserve(0, reservedFor)
        // Before anything is awaited: a call beside this one must see it.
        reserved += amount
        const taken = await account.reserve(amount, reservedFor).catch((error: unknown) => {
          reserved -= amount
          throw error
        })
        await persist().catch(async (error: unknown) => {
          reserved -= amount
          await taken.settle(0)
          throw error
        })
        return {
          async settle(cost) {
            reserved -= amount
            spend(cost)
            return await taken.settle(cost)
          },
        }
      },
    },
  }
}

function dollars(microDollars: number): string {
  return `$${(microDollars / 1e6).toFixed(6).replace(/0{1,4}$/, '')}`
}
