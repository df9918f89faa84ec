import { Failure } from '#kernel/errors'
import type { Principal } from '#kernel/http'
import { modelsFailure } from '../errors.ts'

type PeriodKind = 'day' | 'month' | 'total'

/** A sum of money that calls are paid from: of an account or an API key, in one period in UTC. */
export interface BudgetScope {
  readonly owner: 'account' | 'key'
  /** `account:` or `key:` with the id. */
  readonly scope: string
  readonly kind: PeriodKind
  /** In micro-dollars; null where spending is only counted. */
  readonly limit: number | null
}

/** The budgets of an API key in micro-dollars, besides that of its account. */
export interface KeyBudget {
  readonly id: string
  readonly microDollarsPerDay?: number | undefined
  readonly microDollarsPerMonth?: number | undefined
  readonly microDollarsTotal?: number | undefined
}

/** The account that pays for calls, its limit for a day, and the API key that makes them. */
export interface Payer {
  readonly accountId: string
  readonly microDollarsPerDay: number
  readonly key?: KeyBudget | undefined
}

/** The budgets of the API key that a caller uses; undefined for other credentials. */
export function keyBudgetOf({ method, credential, limits }: Principal): KeyBudget | undefined {
  if (method !== 'api_key' || credential === null) return undefined
  const { microDollarsPerDay, microDollarsPerMonth, microDollarsTotal } = limits ?? {}
  return { id: credential, microDollarsPerDay, microDollarsPerMonth, microDollarsTotal }
}

/** The scopes of a payer. A key is counted even without limits, so that a limit set later includes earlier spending. */
export function scopesOf({ accountId, microDollarsPerDay, key }: Payer): readonly BudgetScope[] {
  const account: BudgetScope = {
    owner: 'account',
    scope: `account:${accountId}`,
    kind: 'day',
    limit: microDollarsPerDay,
  }
  if (key === undefined) return [account]
  const scope = `key:${key.id}`
  return [
    account,
    { owner: 'key', scope, kind: 'day', limit: key.microDollarsPerDay ?? null },
    { owner: 'key', scope, kind: 'month', limit: key.microDollarsPerMonth ?? null },
    { owner: 'key', scope, kind: 'total', limit: key.microDollarsTotal ?? null },
  ]
}

/** Identifies a scope in all its periods. */
export function nameOf({ scope, kind }: Pick<BudgetScope, 'scope' | 'kind'>): string {
  return `${kind} ${scope}`
}

/** Why a call was not admitted. */
export interface Shortage {
  readonly scope: BudgetScope
  readonly spent: number
  readonly reserved: number
}

/** Whether the call would fit if all reserved money returned. */
export function mayFitLater(needed: number, { scope: { limit }, spent }: Shortage): boolean {
  return limit === null || spent + needed <= limit
}

/** The failure for a call that does not fit. */
export function budgetUsedUp(needed: number, shortage: Shortage, now: Date): Failure {
  const { scope, spent, reserved } = shortage
  const { owner, kind } = scope
  const limit = scope.limit ?? 0
  const left = Math.max(0, limit - spent - reserved)
  const retryAfterSeconds = secondsUntilFit(needed, shortage, now)
  return modelsFailure('budget_used_up', {
    message: `This call may cost up to ${inDollars(needed)}, and ${inDollars(left)} of ${describeScope[owner][kind](inDollars(limit))} is left.`,
    details: { needed, limit, spent, reserved, unit: 'micro-dollars', budget: owner, period: kind },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })
}

/** The amount that a budget had left when it refused a call; undefined for any other error. */
export function leftInBudget(error: unknown): number | undefined {
  if (!(error instanceof Failure) || error.code !== 'budget_used_up') return undefined
  const { limit, spent, reserved } = error.details ?? {}
  if (typeof limit !== 'number' || typeof spent !== 'number' || typeof reserved !== 'number') return 0
  return Math.max(0, limit - spent - reserved)
}

const describeScope = {
  account: {
    day: (limit: string) => `today's ${limit}`,
    month: (limit: string) => `this month's ${limit}`,
    total: (limit: string) => `the total of ${limit}`,
  },
  key: {
    day: (limit: string) => `the ${limit} that this API key may spend today`,
    month: (limit: string) => `the ${limit} that this API key may spend this month`,
    total: (limit: string) => `the ${limit} that this API key may spend in all`,
  },
} as const

/** Undefined when no period would be enough, as for a call that costs more than a whole day's budget. */
function secondsUntilFit(needed: number, shortage: Shortage, now: Date): number | undefined {
  const { limit, kind } = shortage.scope
  if (limit === null || needed > limit) return undefined
  if (mayFitLater(needed, shortage)) return 1
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const end = { day: Date.UTC(year, month, day + 1), month: Date.UTC(year, month + 1), total: undefined }[
    kind
  ]
  return end === undefined ? undefined : Math.max(1, Math.ceil((end - now.getTime()) / 1000))
}

function inDollars(microDollars: number): string {
  return `$${(microDollars / 1_000_000).toFixed(6).replace(/0{1,4}$/, '')}`
}
