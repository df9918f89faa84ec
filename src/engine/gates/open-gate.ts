import { type Executor, runStatement } from '#kernel/work'
import type { FlowControl } from '../definition/flow-control.ts'
import { durationMs } from '../definition/values.ts'
import { chooseOpenings, type GatedExecution, type GateLimits } from './choose-openings.ts'

/** Which executions of a flow are looked at: those with one concurrency key, or all. */
export interface GateScope {
  readonly flowId: string
  /** Null: all. */
  readonly concurrencyKey: string | null
}

export type LimitName = 'concurrency' | 'throttle' | 'debounce'

export interface Opened {
  readonly passed: readonly string[]
  /** The accounts of the executions that passed, which now wait for a slot of their account. */
  readonly accounts: readonly string[]
  /** In how many milliseconds a throttle lets the next one pass; null: none waits for a throttle. */
  readonly dueInMs: number | null
}

const nothingOpened: Opened = { passed: [], accounts: [], dueInMs: null }

/**
 * Locks the gate of a flow until the transaction ends. Everything that lets executions pass has this lock, so no other replica changes
 * the counts meanwhile: executions can only end or be suspended.
 */
export async function lockGate(transaction: Executor, flowId: string): Promise<void> {
  const locked = await runStatement(transaction, lockStatement, [flowId])
  if (locked.length > 0) return
  await runStatement(transaction, 'insert into engine_gates (flow_id) values ($1) on conflict do nothing', [
    flowId,
  ])
  await runStatement(transaction, lockStatement, [flowId])
}

const lockStatement = 'select 1 from engine_gates where flow_id = $1 for update'

/**
 * Lets executions pass the gate of a flow, in this order: those that have run before, then by priority, then by turn (`readTurn`), then by
 * age. The caller has locked the gate.
 *
 * | execution | on                                                                | next                                            |
 * |-----------|-------------------------------------------------------------------|-------------------------------------------------|
 * | gated     | its debounce is over, its throttle allows it, its key has a slot  | queued, and parked: it waits for its account    |
 * | gated     | otherwise                                                         | gated                                           |
 *
 * The limits are those of the newest version of the flow; without limits, all pass.
 */
export async function openGate(transaction: Executor, scope: GateScope): Promise<Opened> {
  const { flowId, concurrencyKey: only } = scope
  const { limits, hasThrottleKey, now } = await readLimits(transaction, flowId)
  // Most often all slots of the key are taken: the executions at the gate need not be read then.
  if (only !== null && limits.concurrency !== null) {
    const taken = await countOpen(transaction, [only])
    if ((taken.get(only) ?? 0) >= limits.concurrency) return nothingOpened
  }
  // Executions with other keys may have waited longer for the throttle.
  const isWhole = only === null || limits.throttle !== null
  if (isWhole) await runStatement(transaction, endDebounceStatement, [flowId])
  const read = { flowId, concurrencyKey: isWhole ? null : only }
  const gated = await readGated(transaction, read, { limits, hasThrottleKey })
  const open = await countOpen(transaction, keysOf(gated, 'concurrencyKey'))
  const before = await readThrottles(transaction, keysOf(gated, 'throttleKey'))
  const { passed, nextAt, dueAt } = chooseOpenings(gated, limits, { open, nextAt: before, now })
  await storeThrottles(transaction, nextAt)
  if (isWhole || dueAt !== null) {
    await runStatement(transaction, dueStatement, [flowId, dueAt === null ? null : dueAt / 1000, isWhole])
  }
  const rows = await letPass(transaction, passed)
  return {
    passed: rows.map(({ id }) => id),
    accounts: [...new Set(rows.map(({ account_id: id }) => id))],
    dueInMs: dueAt === null ? null : Math.max(0, dueAt - now),
  }
}

/**
 * A debounced execution has not run yet, so it has no waits: no event locks it together with others, and the order of these locks and
 * those of the starts of the same transaction does not matter.
 */
const endDebounceStatement = `
  update engine_executions set hold_until = null
  where flow_id = $1 and work_state = 'gated' and hold_until <= clock_timestamp()
`

/** Executions of one key know only when their own throttle is due: an earlier time stays. */
const dueStatement = `
  update engine_gates
  set due_at = least(to_timestamp($2::float8), case when not $3 then due_at else (
    select min(hold_until) from engine_executions where flow_id = $1 and work_state = 'gated'
  ) end)
  where flow_id = $1
`

/** The time is read after the lock: that of the transaction may be older than the last opening. */
async function readLimits(
  transaction: Executor,
  flowId: string,
): Promise<{ readonly limits: GateLimits; readonly hasThrottleKey: boolean; readonly now: number }> {
  const [row] = await runStatement<{ control: FlowControl | null; now: number }>(
    transaction,
    `
      select (extract(epoch from clock_timestamp()) * 1000)::float8 as now, (
        select version.definition #> '{global_configuration,flow_control}'
        from engine_flows as flow
        join engine_flow_versions as version on version.flow_id = flow.id and version.version = flow.current_version
        where flow.id = $1
      ) as control
    `,
    [flowId],
  )
  const { concurrency, throttle } = row?.control ?? {}
  return {
    limits: {
      concurrency: concurrency?.limit ?? null,
      throttle:
        throttle === undefined
          ? null
          : { intervalMs: durationMs(throttle.period) / throttle.limit, burst: throttle.burst ?? 1 },
    },
    hasThrottleKey: throttle?.key !== undefined,
    now: row?.now ?? Date.now(),
  }
}

/** More executions of a flow, or of an account, cannot be gated. */
export const maxGated = { perFlow: 10_000, perAccount: 10_000 } as const

/** Executions that their key has certainly no slot for are left out. */
const gatedStatement = `
  with ranked as (
    select id, concurrency_key, throttle_key, started_at is not null as has_started, work_priority, gate_turn,
      row_number() over (
        partition by concurrency_key order by started_at is not null desc, work_priority desc, gate_turn, id
      ) as position
    from engine_executions
    where flow_id = $1 and work_state = 'gated' and hold_until is null and ($2::text is null or concurrency_key = $2)
  )
  select id, concurrency_key as "concurrencyKey", throttle_key as "throttleKey", has_started as "hasStarted"
  from ranked
  where $3::integer is null or position <= $3
  order by has_started desc, work_priority desc, gate_turn, id
  limit $4
`

async function readGated(
  transaction: Executor,
  { flowId, concurrencyKey }: GateScope,
  { limits, hasThrottleKey }: { readonly limits: GateLimits; readonly hasThrottleKey: boolean },
): Promise<readonly GatedExecution[]> {
  // With keys of a throttle, the first ones may all wait for it, while later ones may pass.
  const perKey = hasThrottleKey ? null : (limits.concurrency ?? limits.throttle?.burst ?? null)
  return await runStatement<GatedExecution>(transaction, gatedStatement, [
    flowId,
    concurrencyKey,
    // One more than may pass, so that the time at which a throttle is due is known.
    perKey === null ? null : perKey + 1,
    maxGated.perFlow,
  ])
}

function keysOf(gated: readonly GatedExecution[], name: 'concurrencyKey' | 'throttleKey'): string[] {
  return [...new Set(gated.flatMap((execution) => execution[name] ?? []))]
}

/** Open executions by key: queued, also for their account, or running. One that needs approval has not come to the gate yet. */
async function countOpen(transaction: Executor, keys: readonly string[]): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map()
  const rows = await runStatement<{ key: string; count: number }>(
    transaction,
    `
      select concurrency_key as key, count(*)::integer as count from engine_executions
      where concurrency_key = any($1::text[]) and work_state in ('queued', 'running') and approval is distinct from 'pending'
      group by concurrency_key
    `,
    [keys],
  )
  return new Map(rows.map(({ key, count }) => [key, count]))
}

async function readThrottles(transaction: Executor, keys: readonly string[]): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map()
  const rows = await runStatement<{ key: string; next: number }>(
    transaction,
    `
      select key, (extract(epoch from next_at) * 1000)::float8 as next from engine_throttles where key = any($1::text[])
    `,
    [keys],
  )
  return new Map(rows.map(({ key, next }) => [key, next]))
}

async function storeThrottles(transaction: Executor, nextAt: ReadonlyMap<string, number>): Promise<void> {
  if (nextAt.size === 0) return
  await runStatement(
    transaction,
    `
      insert into engine_throttles (key, next_at)
      select it.key, to_timestamp(it.next / 1000) from unnest($1::text[], $2::float8[]) as it (key, next)
      on conflict (key) do update set next_at = excluded.next_at
    `,
    [[...nextAt.keys()], [...nextAt.values()]],
  )
}

/**
 * An execution that is being cancelled is locked: it ends, and does not pass. Locked in the order of their ids: an event may lock those of
 * them that wait for it.
 */
async function letPass(
  transaction: Executor,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly account_id: string }[]> {
  if (ids.length === 0) return []
  return await runStatement(
    transaction,
    `
      with passing as materialized (
        select id from engine_executions
        where id = any($1::uuid[]) and work_state = 'gated'
        order by id
        for no key update
      )
      update engine_executions as execution
      set work_state = 'queued', work_due_at = 'infinity', debounce_key = null
      from passing
      where execution.id = passing.id
      returning execution.id, execution.account_id
    `,
    [ids],
  )
}
