import type { Database } from '#kernel/database'
import { runStatement } from '#kernel/work'
import type { CancelRequest } from '../execution/leased-execution.ts'
import type { FlowVersions } from '../flows/flow-versions.ts'
import type { Live } from '../live/live.ts'
import { endExecution } from '../store/end-execution.ts'

type CancelOutcome =
  /** It has ended as cancelled. */
  | 'cancelled'
  /** The request is stored, and the worker has not ended the execution yet. */
  | 'cancelling'
  /** It had ended before the request, or ended otherwise in the meantime. */
  | 'over'

interface CancelOptions {
  readonly by: string | null
  readonly reason?: string | null
  /** Revokes the lease of a worker that does not react in time. The reservations of its calls then count as spent. */
  readonly force?: boolean
  /** Removes the outputs of its steps in the commit that ends it as cancelled. */
  readonly cleanup?: boolean
  /** How long to wait for the worker. */
  readonly waitMs?: number
}

export interface Cancel {
  /** Cancels an execution. Undefined: the execution does not exist. */
  (id: string, options: CancelOptions): Promise<CancelOutcome | undefined>
}

export const cancelChannel = 'engine_cancel'

interface CancelParts {
  readonly database: Database
  readonly versions: FlowVersions
  readonly live: Pick<Live, 'advanced' | 'watch'>
  /** A slot of the account is free. */
  readonly onEnded: (accountId: string) => void
}

interface StateRow {
  readonly work_state: 'queued' | 'running' | 'finished'
  readonly status: string
}

/**
 * Cancels executions. Of several requests the first sets author and reason; a single one with `cleanup` removes the outputs.
 *
 * | state                                       | then                                                                                  |
 * |---------------------------------------------|---------------------------------------------------------------------------------------|
 * | queued                                      | ended here                                                                            |
 * | running                                     | stored in its row; the worker aborts its calls, settles their cost and ends it        |
 * | running, `force`, and the worker is too slow | ended here; the fence rejects the next commit of the worker                           |
 * | finished                                    | nothing                                                                               |
 */
export function createCancel({ database, versions, live, onEnded }: CancelParts): Cancel {
  async function endHere(id: string, request: CancelRequest): Promise<CancelOutcome> {
    const accountId = await database.transaction((transaction) =>
      endExecution(transaction, versions, id, {
        status: 'cancelled',
        error: null,
        data: { reason: request.reason },
      }),
    )
    if (accountId === undefined) return (await waitForEnd(id, 0)) === 'cancelled' ? 'cancelled' : 'over'
    live.advanced(id)
    onEnded(accountId)
    return 'cancelled'
  }

  async function storeRequest(id: string, request: CancelRequest): Promise<StateRow | undefined> {
    return database.transaction(async (transaction) => {
      const [row] = await runStatement<StateRow>(
        transaction,
        `
          update engine_executions
          set cancel = case when work_state = 'finished' then cancel else $2::jsonb || coalesce(cancel, '{}') end
          where id = $1
          returning work_state, status
        `,
        [id, JSON.stringify(request)],
      )
      if (row?.work_state === 'running') {
        await runStatement(transaction, 'select pg_notify($1, $2)', [cancelChannel, id])
      }
      return row
    })
  }

  /** Waits for the end of an execution. Undefined: it did not end in time. */
  async function waitForEnd(id: string, waitMs: number): Promise<StateRow['status'] | undefined> {
    const deadline = performance.now() + waitMs
    let wake: (() => void) | undefined
    using watching = new DisposableStack()
    watching.use(live.watch(id, () => wake?.()))
    for (;;) {
      const [row] = await database.query<StateRow>(
        'select work_state, status from engine_executions where id = $1',
        [id],
      )
      if (row?.work_state === 'finished') return row.status
      const leftMs = deadline - performance.now()
      if (row === undefined || leftMs <= 0) return undefined
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      const timer = setTimeout(resolve, Math.min(leftMs, 500))
      await promise
      clearTimeout(timer)
    }
  }

  return async (id, options) => {
    const { by, reason = null, force = false, cleanup = false, waitMs = force ? 2000 : 10_000 } = options
    const request: CancelRequest = {
      by,
      reason,
      at: new Date().toISOString(),
      ...(cleanup && { cleanup: true }),
    }
    const row = await storeRequest(id, request)
    if (row === undefined) return undefined
    if (row.work_state === 'finished') return 'over'
    if (row.work_state === 'queued') return await endHere(id, request)
    const status = await waitForEnd(id, waitMs)
    if (status !== undefined) return status === 'cancelled' ? 'cancelled' : 'over'
    return force ? await endHere(id, request) : 'cancelling'
  }
}
