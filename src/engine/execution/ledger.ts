import type { Budget } from '#models'
import { StepFailure } from '../steps/step-failure.ts'
import type { Rules } from './rules.ts'

/** What one execution spends, in whole micro-dollars. */
export interface Ledger {
  readonly callBudget: Budget
  spent(): number
  /** Reserved for calls in progress. */
  reserved(): number
}

interface LedgerOptions {
  readonly rules: Pick<Rules, 'budget' | 'abortsOverBudget' | 'costAlerts'>
  /** What earlier leases spent, including what a crashed worker had reserved: the outcome of its calls is unknown. */
  readonly spentBefore: number
  /** The daily budget of the account. */
  readonly account: Budget
  /** Commits the reservation, so that it survives a crash. */
  readonly persist: () => Promise<void>
  readonly onAlert: (alert: { readonly threshold: number; readonly spent: number }) => void
  readonly onOverBudget: (over: { readonly budget: number; readonly wanted: number }) => void
}

/**
 * Keeps an execution within its budget. The maximum cost of a call is reserved before the call, so that parallel calls cannot exceed
 * the budget together; the true cost replaces the reservation afterwards.
 */
export function createLedger(options: LedgerOptions): Ledger {
  const { rules, account, persist, onAlert, onOverBudget } = options
  const { budget, abortsOverBudget, costAlerts } = rules
  let spent = options.spentBefore
  let reserved = 0
  let warned = false

  function requireBudget(amount: number): void {
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
    callBudget: {
      async reserve(amount, reservedFor) {
        requireBudget(amount)
        if (amount === 0) return account.reserve(0, reservedFor)
        // Before the first await, so that a parallel call sees this reservation.
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
