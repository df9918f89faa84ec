import { Type } from 'typebox'
import type { HttpServer, Principal } from '#kernel/http'
import type { KeySpend } from '../../budgets/budgets.ts'
import type { KeyBudget } from '../../budgets/scopes.ts'

/** An API key with its budgets. */
interface BudgetedKey extends KeyBudget {
  readonly name: string
}

export interface BudgetRouteOptions {
  /** Today's budget of an account and its use, in micro-dollars. */
  readonly budgetOf: (
    principal: Principal,
  ) => Promise<{ readonly limit: number; readonly spent: number; readonly reserved: number }>
  /** The API keys of an account. */
  readonly keysOf: (accountId: string) => Promise<readonly BudgetedKey[]>
  /** In the order of the ids. */
  readonly spentByKeys: (keyIds: readonly string[]) => Promise<readonly KeySpend[]>
}

const Amount = Type.Union([Type.Integer(), Type.Null()])

const Period = Type.Object({
  limit_micro_dollars: { ...Amount, description: 'Null without a limit: spending is only counted.' },
  spent_micro_dollars: Type.Integer(),
  reserved_micro_dollars: Type.Integer({ description: 'Reserved for running calls.' }),
  left_micro_dollars: Amount,
})

const Budget = Type.Object(
  {
    day: Type.String({ format: 'date', description: 'In UTC.' }),
    limit_micro_dollars: Type.Integer(),
    spent_micro_dollars: Type.Integer(),
    reserved_micro_dollars: Type.Integer({ description: 'Reserved for running calls.' }),
    left_micro_dollars: Type.Integer(),
    resets_at: Type.String({ format: 'date-time' }),
    keys: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        day: Period,
        month: Period,
        total: Period,
      }),
      {
        description:
          'Budgets of API keys in this UTC day and month and in all. For a call with an API key: that key. For a signed-in user: the keys of the account that have a budget. For other credentials: none.',
      },
    ),
    month_resets_at: Type.String({ format: 'date-time', description: 'The end of this month in UTC.' }),
  },
  { description: "Today's budget of the calling account, and the budgets of its API keys." },
)

/** The budget of the calling account and of its API keys. */
export function addBudgetRoute(
  routes: HttpServer,
  { budgetOf, keysOf, spentByKeys }: BudgetRouteOptions,
): void {
  async function listKeys(principal: Principal) {
    const keys = visibleKeys(principal, principal.id === null ? [] : await keysOf(principal.id))
    const spends = await spentByKeys(keys.map(({ id }) => id))
    return keys.flatMap((key, index) => {
      const spend = spends[index]
      return spend === undefined ? [] : [describeKey(key, spend)]
    })
  }

  routes.get(
    '/api/v1/usage/budget',
    {
      config: { access: { signedIn: true, scope: 'models.read' } },
      schema: {
        operationId: 'readBudget',
        summary: "Get today's budget",
        description:
          'Returns the budget of the calling account for this UTC day, whose limit its tier sets, and the budgets of API keys. A call must fit all budgets.',
        response: { 200: Budget },
      },
    },
    async ({ principal }, reply) => {
      const now = new Date()
      const [year, month, date] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
      const [{ limit, spent, reserved }, keys] = await Promise.all([budgetOf(principal), listKeys(principal)])
      return reply.header('cache-control', 'no-store').send({
        day: now.toISOString().slice(0, 10),
        limit_micro_dollars: limit,
        spent_micro_dollars: spent,
        reserved_micro_dollars: reserved,
        left_micro_dollars: Math.max(0, limit - spent - reserved),
        resets_at: new Date(Date.UTC(year, month, date + 1)).toISOString(),
        keys,
        month_resets_at: new Date(Date.UTC(year, month + 1)).toISOString(),
      })
    },
  )
}

function visibleKeys(
  { method, credential }: Principal,
  keys: readonly BudgetedKey[],
): readonly BudgetedKey[] {
  if (method === 'api_key') return keys.filter(({ id }) => id === credential)
  return method === 'session' || method === 'basic' ? keys.filter(hasBudget) : []
}

function hasBudget({ microDollarsPerDay, microDollarsPerMonth, microDollarsTotal }: BudgetedKey): boolean {
  return [microDollarsPerDay, microDollarsPerMonth, microDollarsTotal].some((limit) => limit !== undefined)
}

function describeKey(key: BudgetedKey, { day, month, total }: KeySpend) {
  return {
    id: key.id,
    name: key.name,
    day: describePeriod(key.microDollarsPerDay, day),
    month: describePeriod(key.microDollarsPerMonth, month),
    total: describePeriod(key.microDollarsTotal, total),
  }
}

function describePeriod(limit: number | undefined, { spent, reserved }: KeySpend['day']) {
  return {
    limit_micro_dollars: limit ?? null,
    spent_micro_dollars: spent,
    reserved_micro_dollars: reserved,
    left_micro_dollars: limit === undefined ? null : Math.max(0, limit - spent - reserved),
  }
}
