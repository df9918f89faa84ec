import { Type } from 'typebox'
import type { Identity } from '#identity'
import { type HttpServer, readUsedByAccounts } from '#kernel/http'
import type { Limiter } from '#kernel/limits'
import type { Models } from '#models'

/** The share of a limit from which on an account is listed. */
const nearShare = 0.8
const maxListed = 50
/** Accounts are read in batches, up to a bound: the answer must come in time on a platform of any size. */
const batchSize = 1000
const maxChecked = 10_000
/** Several administrators, and several tabs, share one answer of this age. */
const keptForMs = 10_000

const hourSeconds = 3600

const Use = Type.Object({
  used: Type.Number(),
  limit: Type.Number({ description: 'The limit of the tier.' }),
  percentage: Type.Number({ description: 'Of the limit.' }),
})

const NearLimits = Type.Object(
  {
    accounts: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid' }),
        username: Type.String(),
        tier: Type.String(),
        requests: Type.Object(Use.properties, {
          description: 'Requests of the current hour that count for the tier.',
        }),
        budget: Type.Object(Use.properties, {
          description: 'Dollars of this UTC day, including reservations for running calls.',
        }),
      }),
      { description: `The ${maxListed} accounts that are nearest to a limit, the nearest first.` },
    ),
    total: Type.Integer({ description: 'All accounts near a limit.' }),
    checked: Type.Integer({ description: 'Enabled accounts that were checked.' }),
    complete: Type.Boolean({ description: `Whether all were: at most ${maxChecked} are checked.` }),
  },
  { description: 'Accounts that have used at least 80 percent of their budget or of their requests.' },
)

interface NearLimitsOptions {
  readonly identity: Pick<Identity, 'accountsAfter' | 'tiers'>
  readonly models: Pick<Models, 'spentTodayBy'>
  readonly limiter: Pick<Limiter, 'usedBy'>
}

/** Lists the accounts that are near a limit of their tier. */
export function addNearLimitsRoute(routes: HttpServer, options: NearLimitsOptions): void {
  let kept: { readonly answer: ReturnType<typeof findNear>; readonly until: number } | undefined

  function findCached() {
    const now = performance.now()
    if (kept !== undefined && kept.until > now) return kept.answer
    const answer = findNear(options)
    kept = { answer, until: now + keptForMs }
    // A failure is not kept.
    answer.catch(() => {
      kept = undefined
    })
    return answer
  }

  routes.get(
    '/api/v1/accounts-near-limit',
    {
      config: { access: { permission: 'administer users' } },
      schema: {
        operationId: 'listAccountsNearLimit',
        summary: 'List accounts near a limit',
        description:
          'Enabled accounts that have used at least 80 percent of the requests per hour or of the dollars per day of their tier. The answer may be ten seconds old.',
        response: { 200: NearLimits },
      },
    },
    async (_, reply) => reply.header('cache-control', 'no-store').send(await findCached()),
  )
}

async function findNear({ identity, models, limiter }: NearLimitsOptions) {
  const near: Awaited<ReturnType<typeof measure>>[number][] = []
  let checked = 0
  let complete = false
  let after: string | undefined
  while (!complete && checked < maxChecked) {
    const accounts = await identity.accountsAfter(after, batchSize)
    const measured = await measure(accounts, { identity, models, limiter })
    near.push(...measured.filter((account) => nearestOf(account) >= nearShare * 100))
    checked += accounts.length
    after = accounts.at(-1)?.id
    complete = accounts.length < batchSize
  }
  return {
    accounts: near.toSorted((one, other) => nearestOf(other) - nearestOf(one)).slice(0, maxListed),
    total: near.length,
    checked,
    complete,
  }
}

async function measure(
  accounts: Awaited<ReturnType<Identity['accountsAfter']>>,
  { identity: { tiers }, models, limiter }: NearLimitsOptions,
) {
  const accountIds = accounts.map(({ id }) => id)
  const [requests, spends] = await Promise.all([
    readUsedByAccounts(limiter, tiers.requestsPerHour, { accountIds, windowSeconds: hourSeconds }),
    models.spentTodayBy(accountIds),
  ])
  return accounts.map(({ id, username, tier }, index) => {
    const limits = tiers.limitsOfTier(tier)
    const { spent, reserved } = spends[index] ?? { spent: 0, reserved: 0 }
    return {
      id,
      username,
      tier,
      requests: useOf(requests[index] ?? 0, limits.requestsPerHour),
      budget: useOf((spent + reserved) / 1e6, limits.microDollarsPerDay / 1e6),
    }
  })
}

/** A limit of 0 is used up by anything, and not near while nothing was used. */
function useOf(used: number, limit: number) {
  const share = limit > 0 ? used / limit : used > 0 ? 1 : 0
  return { used, limit, percentage: Math.round(share * 1000) / 10 }
}

function nearestOf({ requests, budget }: Awaited<ReturnType<typeof measure>>[number]): number {
  return Math.max(requests.percentage, budget.percentage)
}
