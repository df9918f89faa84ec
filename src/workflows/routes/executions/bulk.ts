import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { engineFailure, recoveryActions } from '#engine'
import { access, managesAll, readRate } from '#executions-api'
import { Failure } from '#kernel/errors'
import { countFor, type HttpServer, type Principal } from '#kernel/http'
import { errorCodeOf, workflowsPrefix } from '../../api.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import { flag, integer, maybeText } from '../../schemas/values.ts'
import { versionChoice } from '../control/rerun-routes.ts'

const maxIds = 100

/** Executions that are changed at the same time: few, so that a request takes no connection from others. */
const concurrency = 4

/** The worker of a running execution has so long to confirm. After that the execution is reported as `cancelling`. */
const cancelWaitMs = 2000

const execution_ids = Type.Array(Type.String({ format: 'uuid' }), {
  minItems: 1,
  maxItems: maxIds,
  description: `The executions, at most ${maxIds}.`,
})

const Results = Type.Object(
  {
    results: Type.Array(
      Type.Object({
        execution_id: Type.String(),
        ok: flag('Whether the action succeeded.'),
        status: maybeText('The state after the action; null when it failed.'),
        error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }), Type.Null()], {
          description: 'Why it failed; null when it succeeded.',
        }),
      }),
      { description: 'One for each execution, in the order of the request.' },
    ),
    succeeded: integer('Number of executions for which the action succeeded.'),
    failed: integer('Number of executions for which it failed.'),
  },
  { description: 'What became of each execution. A failure of one does not affect the others.' },
)

type Result = Static<typeof Results>['results'][number]

type BulkOptions = Pick<WorkflowsOptions, 'engine' | 'tiers' | 'limiter'>

/** Cancels or recovers several executions in one request. */
export function addBulkRoutes(routes: HttpServer, { engine, tiers, limiter }: BulkOptions): void {
  /** Runs an action for each execution that the caller may see. */
  async function forEach(
    principal: Principal,
    given: readonly string[],
    act: (id: string, accountId: string) => Promise<string>,
  ): Promise<Static<typeof Results>> {
    const ids = [...new Set(given.map((id) => id.toLowerCase()))]
    const accounts = await engine.executions.accountsOf(ids)
    const results = await mapSome(ids, async (id): Promise<Result> => {
      try {
        const account = accounts.get(id)
        if (account === undefined || (account !== principal.id && !managesAll(principal))) throw notFound(id)
        return { execution_id: id, ok: true, status: await act(id, account), error: null }
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        const { message } = error
        return { execution_id: id, ok: false, status: null, error: { code: errorCodeOf(error), message } }
      }
    })
    const succeeded = results.filter(({ ok }) => ok).length
    return { results, succeeded, failed: results.length - succeeded }
  }

  routes.post(
    `${workflowsPrefix}/executions/cancel`,
    {
      config: { access: access.seesExecutions, ratePolicy: readRate },
      schema: {
        operationId: 'cancelExecutions',
        summary: 'Cancel several executions',
        description:
          'Cancels each execution like `POST /executions/{execution_id}/cancel`. The status is `cancelling` when its worker does not confirm within two seconds; it is cancelled later.',
        body: Type.Object(
          {
            execution_ids,
            reason: Type.Optional(Type.String({ maxLength: 1000, description: 'Shown in their logs.' })),
          },
          { additionalProperties: false },
        ),
        response: { 200: Results },
      },
    },
    ({ principal, body: { execution_ids: ids, reason = null } }) =>
      forEach(principal, ids, async (id) => {
        const outcome = await engine.executions.cancel(id, { by: principal.id, reason, waitMs: cancelWaitMs })
        if (outcome === undefined) throw notFound(id)
        if (outcome === 'over') {
          throw engineFailure('execution_not_running', { details: { execution_id: id } })
        }
        return outcome
      }),
  )

  routes.post(
    `${workflowsPrefix}/executions/recover`,
    {
      config: { access: access.seesExecutions, ratePolicy: readRate },
      schema: {
        operationId: 'recoverExecutions',
        summary: 'Recover several failed executions',
        description:
          'Recovers each execution like `POST /executions/{execution_id}/recover`. Each counts as one request of the hourly limit; those above the limit fail with `RATE_LIMIT_EXCEEDED`.',
        body: Type.Object(
          {
            execution_ids,
            action: Type.Enum([...recoveryActions]),
            flow_version: Type.Optional(
              versionChoice('The version to continue with, as for one execution. Default: `same`.'),
            ),
          },
          { additionalProperties: false },
        ),
        response: { 200: Results },
      },
    },
    (request) => {
      const { principal, body } = request
      const countOne = createCountOne(request)
      return forEach(principal, body.execution_ids, async (id, accountId) => {
        await countOne()
        await engine.capacity.requireQueueCapacity(accountId)
        await engine.control.recover(id, {
          action: body.action,
          by: principal.id,
          flowVersion: body.flow_version,
        })
        return 'queued'
      })
    },
  )

  /** Counts one execution under the hourly limit. After the first refusal the limiter is not asked again. */
  function createCountOne(request: FastifyRequest): () => Promise<void> {
    let refusal: Failure | undefined
    return async () => {
      if (refusal !== undefined) throw refusal
      try {
        await countFor(limiter, tiers.requestsPerHour, request)
      } catch (error) {
        if (error instanceof Failure) refusal = error
        throw error
      }
    }
  }
}

function notFound(id: string): Failure {
  return engineFailure('execution_not_found', {
    message: 'There is no execution with this id, or it belongs to another account.',
    details: { execution_id: id },
  })
}

/** Maps items, a few at the same time; the results keep the order of the items. */
async function mapSome<Item, Mapped>(
  items: readonly Item[],
  map: (item: Item) => Promise<Mapped>,
): Promise<Mapped[]> {
  const results: Mapped[] = []
  const queue = items.entries()
  const work = async () => {
    for (const [index, item] of queue) results[index] = await map(item)
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return results
}
