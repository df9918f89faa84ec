import { randomUUID } from 'node:crypto'
import type { Engine } from '#engine'
import { type Database, isDatabaseUnavailable } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import { type Audience, aboutExecution, type EstimateExecution } from '#runs'
import type { Webhooks } from '#webhooks'
import { describeProgressOf } from './callback-events.ts'

interface ClockOptions {
  readonly database: Pick<Database, 'query' | 'transaction'>
  readonly engine: Pick<Engine, 'executions'>
  readonly webhooks: Pick<Webhooks, 'publish'>
  readonly audience: Pick<Audience, 'byTheClock'>
  readonly estimate: EstimateExecution
  readonly nowMs?: () => number
}

const sweepEveryMs = 60_000

/** Tells of progress where the time has come: of executions that run in this process, so each is told of by one. */
export type TellByTheClock = () => Promise<void>

export function createTellByTheClock(options: ClockOptions): TellByTheClock {
  const { database, engine, webhooks, audience, estimate, nowMs = () => performance.now() } = options
  const { byTheClock } = audience
  /** The key stays until it was told: a commit whose answer is lost makes no second delivery when it is told again. */
  const dues = new Map<string, { readonly atMs: number; readonly key: string }>()
  let sweptAt = nowMs()

  function forget(id: string): void {
    byTheClock.delete(id)
    dues.delete(id)
  }

  /** Answers whether it was told; if not, it is tried again at once. */
  async function tell(id: string, key: string): Promise<boolean> {
    const record = await engine.executions.read(id)
    if (record === undefined || record.finishedAt !== null) {
      forget(id)
      return true
    }
    if (record.status !== 'running') return true
    const event = { at: new Date(), data: {} }
    const data = describeProgressOf({ event, record, estimate: await estimate(record) })
    return await database.transaction(async (transaction) => {
      if (!(await isQuiet(transaction, id))) return false
      await webhooks.publish(transaction, [
        { event: 'execution.progress', ...aboutExecution(record), key, at: event.at, data },
      ])
      return true
    })
  }

  /** Those with long pauses are not kept until their next one. */
  async function sweep(): Promise<void> {
    if (byTheClock.size === 0 || nowMs() - sweptAt < sweepEveryMs) return
    sweptAt = nowMs()
    const ended = await database.query<{ id: string }>(
      `select id from engine_executions where id = any($1::uuid[]) and finished_at is not null`,
      [[...byTheClock.keys()]],
    )
    for (const { id } of ended) forget(id)
  }

  return async () => {
    await sweep()
    const failures: unknown[] = []
    for (const [id, everyMs] of byTheClock) {
      const due = dues.get(id)
      if (due === undefined) dues.set(id, { atMs: nowMs() + everyMs, key: randomUUID() })
      if (due === undefined || due.atMs > nowMs()) continue
      try {
        if (!(await tell(id, due.key)) || !byTheClock.has(id)) continue
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error
        // One that cannot be described keeps no other waiting, and is due again like any other.
        failures.push(error)
      }
      // From when it was due, so that pauses do not add up; but never twice in a row.
      dues.set(id, { atMs: Math.max(due.atMs + everyMs, nowMs()), key: randomUUID() })
    }
    if (failures.length > 0)
      throw new AggregateError(failures, 'the progress of executions was not published')
  }
}

/**
 * Whether an execution still runs and everything that happened in it is on its way. While the transaction lasts, nothing more
 * can happen in it: so its progress is told after its start, and before its end.
 */
async function isQuiet(transaction: Executor, id: string): Promise<boolean> {
  const running = await runStatement(
    transaction,
    `select 1 from engine_executions where id = $1 and status = 'running' for share`,
    [id],
  )
  if (running.length === 0) return false
  const waiting = await runStatement(
    transaction,
    'select 1 from engine_outbox where execution_id = $1 limit 1',
    [id],
  )
  return waiting.length === 0
}
