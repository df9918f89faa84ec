import { createGroupWriter, type Database, largeItem, storableJson } from '#kernel/database'
import type { ExecutionInput, Priority } from '../execution/input.ts'
import { admissionStatements, recountAccount } from './admission.ts'
import {
  type ArrayParameter,
  booleans,
  integers,
  maxPerBatch,
  smallIntegers,
  texts,
  timestamps,
  unnest,
  uuids,
} from './binary-arrays.ts'
import { executionQueue, workPriority } from './queue.ts'

/** An execution to be inserted. */
export interface NewExecution {
  readonly id: string
  readonly flowId: string
  readonly flowVersion: number
  readonly accountId: string
  /** How many executions of the account may be active at once. */
  readonly maxActive: number
  readonly priority: Priority
  readonly input: ExecutionInput
  readonly needsApproval: boolean
  readonly scheduleId: string | undefined
  /** The execution that it runs again. */
  readonly rerunOf?: string | undefined
  /** The trigger that starts it. */
  readonly triggerId?: string | undefined
  /** The worker that runs it at once, or refuses it, and the start time. Without a lease it waits in the queue. */
  readonly lease?: { readonly workerId: string; readonly startedAt: Date } | undefined
}

/**
 * The outcome of a start.
 *
 * | outcome | when                                                                         |
 * |---------|------------------------------------------------------------------------------|
 * | stored  | it is queued or running                                                      |
 * | parked  | it waits for a free slot of the account, or for an approval                  |
 * | refused | it has a lease, but the account has no free slot; nothing was stored         |
 * | known   | an execution with this id exists; nothing was stored                         |
 */
type StartOutcome = 'stored' | 'parked' | 'refused' | 'known'

export interface StartWriter extends AsyncDisposable {
  /** Resolves once the execution is on disk. */
  write(execution: NewExecution): Promise<StartOutcome>
}

const columnTypes = 'uuid text int4 uuid int4 text text bool uuid int2 uuid timestamptz'.split(' ')

/** Columns that few executions have. A batch without them takes the shorter statement. */
const originColumns = ', rerun_of, trigger_id'

/** An execution that needs approval takes no slot until it is approved. When slots run out, the first executions of a batch get them. */
const startStatement = (types: readonly string[], more: '' | typeof originColumns) => `
  with given as materialized (
    select it.*, count(*) filter (where not it.approval) over (
      partition by it.account_id order by it.nth rows unbounded preceding
    ) as position
    from ${unnest(1, types)} with ordinality as it (
      id, flow_id, flow_version, account_id, max_active, priority, input, approval, schedule_id, work_priority, worker, started_at${more}, nth
    )
  ),
  wanted as (
    select account_id, min(max_active) as max_active, count(*)::integer as requested
    from given where not approval
    group by account_id
  ),
  ${admissionStatements.before},
  ${admissionStatements.granted},
  decided as (
    select given.*, not given.approval and given.position <= granted.granted as admitted
    from given left join granted on granted.account_id = given.account_id
  )
  insert into engine_executions (
    id, flow_id, flow_version, account_id, status, priority, input, approval, schedule_id, created_at, started_at,
    work_state, work_due_at, work_priority, work_worker, work_fence, work_attempts${more}
  )
  select it.id, it.flow_id, it.flow_version, it.account_id,
    case when it.worker is null then 'queued' else 'running' end, it.priority, it.input::jsonb,
    case when it.approval then 'pending' end, it.schedule_id,
    coalesce(it.started_at, now()), it.started_at,
    case when it.worker is null then 'queued' else 'running' end,
    case when it.admitted then now() else 'infinity' end,
    it.work_priority, it.worker,
    case when it.worker is null then 0 else 1 end,
    case when it.worker is null then 0 else 1 end${more.replaceAll(', ', ', it.')}
  from decided as it
  where it.admitted or it.worker is null
  on conflict (id) do nothing
  returning id, work_due_at = 'infinity' as parked
`

const statements = {
  plain: { name: 'engine_start', text: startStatement(columnTypes, '') },
  withOrigin: {
    name: 'engine_start_with_origin',
    text: startStatement([...columnTypes, 'uuid', 'uuid'], originColumns),
  },
} as const

/** Inserts executions in batches, one statement for each. */
export function createStartWriter(database: Pick<Database, 'query' | 'kysely' | 'transaction'>): StartWriter {
  const writer = createGroupWriter<PreparedStart, StartOutcome>({
    lengthOf: ({ input }) => input.length + 300,
    store,
    maxItems: maxPerBatch,
    apartFrom: largeItem,
  })

  async function store(starts: readonly PreparedStart[]): Promise<StartOutcome[]> {
    const hasOrigin = starts.some(({ execution: it }) => (it.rerunOf ?? it.triggerId) !== undefined)
    const { name, text } = hasOrigin ? statements.withOrigin : statements.plain
    const columns = [...columnsOf(starts), ...(hasOrigin ? originsOf(starts) : [])]
    const stored = await database.query<{ id: string; parked: boolean }>(text, columns, name)
    const parked = new Map(stored.map((row) => [row.id, row.parked]))
    if (starts.some(({ id, isLeased }) => !isLeased && parked.get(id) === false)) {
      await executionQueue.wake(database.kysely)
    }
    const refused = await findRefused(starts.filter(({ id, isLeased }) => isLeased && !parked.has(id)))
    return starts.map(({ id }) => {
      const isParked = parked.get(id)
      // Of two executions with the same id only the first was stored.
      parked.delete(id)
      if (isParked === undefined) return refused.has(id) ? 'refused' : 'known'
      return isParked ? 'parked' : 'stored'
    })
  }

  /** The ids that were not inserted because of the limit, not because they exist already. */
  async function findRefused(starts: readonly PreparedStart[]): Promise<ReadonlySet<string>> {
    const ids = starts.map(({ id }) => id)
    if (ids.length === 0) return new Set()
    const known = await database.query<{ id: string }>(
      'select id from engine_executions where id = any($1::uuid[])',
      [ids],
    )
    return new Set(ids).difference(new Set(known.map(({ id }) => id)))
  }

  return {
    async write(execution) {
      const outcome = await writer.write(prepare(execution))
      // The statement took a slot before it found the duplicate: checking first would slow down every start.
      if (outcome === 'known') await recountAccount(database, execution.accountId)
      return outcome
    },
    [Symbol.asyncDispose]: () => writer.close(),
  }
}

interface PreparedStart {
  readonly id: string
  readonly execution: NewExecution
  /** A worker runs it at once. */
  readonly isLeased: boolean
  readonly input: string
}

function prepare(execution: NewExecution): PreparedStart {
  const { id, lease, input } = execution
  return { id, execution, isLeased: lease !== undefined, input: storableJson(input) }
}

/** In the order of `columnTypes`. */
function columnsOf(starts: readonly PreparedStart[]): ArrayParameter[] {
  const executions = starts.map(({ execution }) => execution)
  return [
    uuids(executions.map(({ id }) => id)),
    texts(executions.map(({ flowId }) => flowId)),
    integers(executions.map(({ flowVersion }) => flowVersion)),
    uuids(executions.map(({ accountId }) => accountId)),
    integers(executions.map(({ maxActive }) => maxActive)),
    texts(executions.map(({ priority }) => priority)),
    texts(starts.map(({ input }) => input)),
    booleans(executions.map(({ needsApproval }) => needsApproval)),
    uuids(executions.map(({ scheduleId }) => scheduleId ?? null)),
    smallIntegers(executions.map(({ priority }) => workPriority[priority])),
    uuids(executions.map(({ lease }) => lease?.workerId ?? null)),
    timestamps(executions.map(({ lease }) => lease?.startedAt ?? null)),
  ]
}

/** In the order of `originColumns`. */
function originsOf(starts: readonly PreparedStart[]): ArrayParameter[] {
  const executions = starts.map(({ execution }) => execution)
  return [
    uuids(executions.map(({ rerunOf }) => rerunOf ?? null)),
    uuids(executions.map(({ triggerId }) => triggerId ?? null)),
  ]
}
