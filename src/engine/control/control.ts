import { randomUUIDv7 } from 'node:crypto'
import { type Database, retryConflicts } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import { engineFailure } from '../errors.ts'
import type { Priority } from '../execution/input.ts'
import type { CancelRequest } from '../execution/leased-execution.ts'
import type { OnFinished } from '../execution-metrics.ts'
import type { FlowVersions } from '../flows/read-flows.ts'
import { readTurn } from '../gates/read-turn.ts'
import type { Live } from '../live/live.ts'
import { addToJournal, type EndedRow, endExecution } from '../store/end-execution.ts'
import type { WorkState } from '../store/queue.ts'
import { type Fork, forkExecution } from './fork.ts'
import { type LockedExecution, lockExecution } from './locked-execution.ts'
import { type Recovery, recoverExecution } from './recover.ts'
import { prepareRerun, type Rerun } from './rerun.ts'

/**
 * User decisions about executions without a worker. Each decision is one transaction that locks the row of the execution, so that a
 * concurrent decision, or a worker, sees its result.
 */
export interface Control {
  /**
   * Puts a failed execution back into the queue. Throws `execution_not_found`, `execution_not_failed`, `recovery_not_possible` when
   * the action, the budget or the version does not fit, `flow_not_found`, `flow_disabled`, or `permission_denied` above the limit of the flow.
   */
  recover(id: string, recovery: Recovery): Promise<void>
  /**
   * Creates an execution that starts at a step of this one. Throws `execution_not_found`, `flow_not_found`, `flow_disabled`, `unknown_step`,
   * `step_was_skipped`, `outputs_not_kept`, `too_many_gated`, or `invalid_input` when a limit of the flow has no value.
   */
  fork(
    id: string,
    fork: Omit<Fork, 'id'> & { readonly id?: string | undefined },
  ): Promise<{ readonly id: string; readonly parked: 'approval' | null }>
  /** Runs the flow of an execution again from its first step. Throws `execution_not_found`, `flow_not_found` or `flow_disabled`. */
  rerun(
    id: string,
    rerun: Omit<Rerun, 'id'> & { readonly id?: string | undefined },
  ): Promise<{ readonly id: string }>
  /** Approves or rejects an execution. Throws `execution_not_found`, or `not_awaiting_approval` when it is not pending. */
  decide(id: string, decision: Decision): Promise<void>
  /** Lists executions that wait for approval. */
  waitingApprovals(page: Parameters<typeof listWaitingApprovals>[1]): ReturnType<typeof listWaitingApprovals>
}

export interface ControlOptions {
  readonly database: Database
  readonly versions: FlowVersions
  /** Puts an execution into the queue. */
  readonly enqueue: (execution: Awaited<ReturnType<typeof prepareRerun>>) => Promise<unknown>
  /** Admits parked executions of the account into free slots, and lets those of the flow pass its gate. */
  readonly promote: (execution: EndedRow) => Promise<void>
  /** Called when the journal of an execution has grown. */
  readonly onAdvance?: (executionId: string) => void
  readonly onFinished: OnFinished
}

export function createControl({
  database,
  versions,
  enqueue,
  promote,
  onAdvance = () => {},
  onFinished,
}: ControlOptions): Control {
  return {
    async recover(id, recovery) {
      const execution = await retryConflicts(() =>
        database.transaction((transaction) => recoverExecution(transaction, id, recovery)),
      )
      onAdvance(id)
      await promote(execution)
    },

    async fork(sourceId, { id = randomUUIDv7(), ...fork }) {
      const { needsApproval, ...row } = await retryConflicts(() =>
        database.transaction((transaction) =>
          forkExecution(transaction, versions, sourceId, { ...fork, id }),
        ),
      )
      if (!needsApproval) await promote(row)
      return { id, parked: needsApproval ? 'approval' : null }
    },

    async rerun(sourceId, { id = randomUUIDv7(), ...rerun }) {
      await enqueue(await prepareRerun(database, sourceId, { ...rerun, id }))
      return { id }
    },

    async decide(id, decision) {
      const execution = await retryConflicts(() =>
        database.transaction((transaction) => decideApproval(transaction, versions, id, decision)),
      )
      if (decision.decision === 'rejected') onFinished({ status: 'cancelled', durationMs: null })
      onAdvance(id)
      await promote(execution)
    },

    waitingApprovals: (page) => listWaitingApprovals(database, page),
  }
}

/** An execution that waits for approval. */
interface WaitingApproval {
  readonly id: string
  readonly flowId: string
  readonly flowVersion: number
  readonly flowLabel: string
  readonly accountId: string
  readonly priority: Priority
  readonly createdAt: Date
  readonly forkedFrom: string | null
  readonly scheduleId: string | null
}

interface Page {
  readonly limit: number
  readonly offset: number
}

const waiting = `from engine_executions as execution where work_state = 'queued' and work_due_at = 'infinity' and approval = 'pending'`

/** The oldest first: executions added in the meantime come after the pages already read. */
async function listWaitingApprovals(
  database: Pick<Database, 'query'>,
  { limit, offset }: Page,
): Promise<{ readonly waiting: WaitingApproval[]; readonly total: number }> {
  const [rows, [count]] = await Promise.all([
    database.query<WaitingApproval>(
      `
        select execution.id, execution.flow_id as "flowId", execution.flow_version as "flowVersion",
          (
            select version.definition ->> 'label' from engine_flow_versions as version
            where version.flow_id = execution.flow_id and version.version = execution.flow_version
          ) as "flowLabel",
          execution.account_id as "accountId", execution.priority, execution.created_at as "createdAt",
          execution.forked_from as "forkedFrom", execution.schedule_id as "scheduleId"
        ${waiting}
        order by execution.created_at, execution.id
        limit $1 offset $2
      `,
      [limit, offset],
    ),
    database.query<{ total: number }>(`select count(*)::integer as total ${waiting}`),
  ])
  return { waiting: rows, total: count?.total ?? 0 }
}

interface Decision {
  readonly decision: 'approved' | 'rejected'
  /** The account that decides. */
  readonly by: string
  readonly note?: string | undefined
}

/**
 * Decides about an execution that waits for approval. Runs inside a transaction; the caller then promotes the account's executions.
 *
 * | approval | on       | approval | the execution                                    |
 * |----------|----------|----------|--------------------------------------------------|
 * | pending  | approved | approved | waits for a free slot, then for a worker         |
 * | pending  | approved | approved | comes to the gate of its flow, if that has limits |
 * | pending  | rejected | rejected | is cancelled                                     |
 *
 * The first decision counts; later ones fail with `not_awaiting_approval`.
 */
async function decideApproval(
  transaction: Executor,
  versions: FlowVersions,
  id: string,
  { decision, by, note }: Decision,
): Promise<EndedRow> {
  const execution = await lockExecution(transaction, id)
  requirePending(execution)
  await runStatement(
    transaction,
    `
      update engine_executions
      set approval = $2, approval_by = $3, approval_at = now(), approval_note = $4, work_fence = work_fence + 1,
        work_state = case when coalesce(concurrency_key, throttle_key) is null then work_state else 'gated' end,
        gated_at = case when coalesce(concurrency_key, throttle_key) is null then null else now() end, gate_turn = $5
      where id = $1
    `,
    [id, decision, by, note ?? null, await turnOf(transaction, execution)],
  )
  await addToJournal(transaction, id, 'approval_decided', {
    execution_id: id,
    decision,
    by,
    note: note ?? null,
  })
  if (decision === 'rejected') {
    await endExecution(transaction, versions, id, {
      status: 'cancelled',
      error: null,
      data: { reason: note ?? 'The execution was not approved.' },
    })
  }
  return execution
}

/** Its turn at the gate of its flow; null when the flow has no limits. */
async function turnOf(transaction: Executor, execution: LockedExecution): Promise<number | null> {
  const isLimited = (execution.concurrency_key ?? execution.throttle_key) !== null
  return isLimited ? await readTurn(transaction, execution) : null
}

function requirePending({ id, approval, status }: LockedExecution): void {
  if (approval === 'pending' && status === 'queued') return
  const why =
    approval === null
      ? 'it needs no approval'
      : approval === 'pending'
        ? `it is ${status} already`
        : `it was ${approval} already`
  throw engineFailure('not_awaiting_approval', {
    message: `This execution is not waiting for approval: ${why}.`,
    details: { execution_id: id, status, approval },
  })
}

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
  /** How long to wait for the worker. Default: that of the engine. */
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
  /** A slot of the account is free, and one of the limits of the flow. */
  readonly onEnded: (execution: EndedRow) => void
  readonly onFinished: OnFinished
  /** How long to wait for the worker. Default: 10 s, with `force` 2 s. */
  readonly waitMs?: number | undefined
}

interface StateRow {
  readonly work_state: WorkState
  readonly status: string
}

/**
 * Cancels executions. Of several requests the first sets author and reason; a single one with `cleanup` removes the outputs.
 *
 * | state                                       | then                                                                                  |
 * |---------------------------------------------|---------------------------------------------------------------------------------------|
 * | queued, gated, suspended                    | ended here                                                                            |
 * | running                                     | stored in its row; the worker aborts its calls, settles their cost and ends it        |
 * | running, `force`, and the worker is too slow | ended here; the fence rejects the next commit of the worker                           |
 * | finished                                    | nothing                                                                               |
 */
export function createCancel(parts: CancelParts): Cancel {
  const { database, versions, live, onEnded, onFinished } = parts

  async function endHere(id: string, request: CancelRequest): Promise<CancelOutcome> {
    const ended = await retryConflicts(() =>
      database.transaction((transaction) =>
        endExecution(transaction, versions, id, {
          status: 'cancelled',
          error: null,
          data: { reason: request.reason },
        }),
      ),
    )
    if (ended === undefined) return (await waitForEnd(id, 0)) === 'cancelled' ? 'cancelled' : 'over'
    live.advanced(id)
    onEnded(ended)
    onFinished(ended)
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
    const { by, reason = null, force = false, cleanup = false } = options
    const waitMs = options.waitMs ?? parts.waitMs ?? (force ? 2000 : 10_000)
    const request: CancelRequest = {
      by,
      reason,
      at: new Date().toISOString(),
      ...(cleanup && { cleanup: true }),
    }
    const row = await storeRequest(id, request)
    if (row === undefined) return undefined
    if (row.work_state === 'finished') return 'over'
    if (row.work_state !== 'running') return await endHere(id, request)
    const status = await waitForEnd(id, waitMs)
    if (status !== undefined) return status === 'cancelled' ? 'cancelled' : 'over'
    return force ? await endHere(id, request) : 'cancelling'
  }
}
