import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Engine } from '#engine'
import { type Database, retryWhenUnavailable } from '#kernel/database'
import { Failure } from '#kernel/errors'
import { eventDataOf } from './waiting-flow.ts'

interface OpenWait {
  readonly id: string
  readonly kind: 'human' | 'event'
  readonly account_id: string
  readonly event_name: string
  readonly correlation_key: string
  readonly number: number
}

/** Waits that opened a moment ago stay open, so that kills and restarts find executions that wait. */
const openStatement = `
  select wait.id, wait.kind, wait.account_id, wait.event_name, wait.correlation_key,
    (execution.input -> 'context' ->> 'number')::integer as number
  from engine_waits as wait
  join engine_executions as execution on execution.id = wait.execution_id
  where wait.state = 'open' and wait.kind in ('human', 'event') and wait.created_at < now() - interval '2 seconds'
  order by wait.created_at
  limit 50
`

/** Answers human tasks and sends events until it is disposed of, while the database comes and goes. */
export function answerWaits(
  database: Database,
  engine: Pick<Engine, 'humanTasks' | 'events'>,
): AsyncDisposable {
  const stopping = new AbortController()
  const { signal } = stopping

  async function answer(wait: OpenWait): Promise<void> {
    const { id, kind, account_id: accountId, event_name: name, correlation_key: key } = wait
    const eventId = randomUUID()
    await retryWhenUnavailable(
      async () =>
        kind === 'human'
          ? await engine.humanTasks
              .answer(id, {
                answer: { approved: true },
                comment: undefined,
                by: 'the test',
                record: async () => undefined,
              })
              .catch(ignoreClosed)
          : await engine.events.send({
              id: eventId,
              accountId,
              name,
              key,
              data: eventDataOf(wait.number),
              ttlMs: 60_000,
            }),
      { signal },
    )
  }

  async function run(): Promise<void> {
    for (;;) {
      const waits = await retryWhenUnavailable(() => database.query<OpenWait>(openStatement), { signal })
      for (const wait of waits) await answer(wait)
      await delay(200, undefined, { signal })
    }
  }

  const over = run().catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
  over.catch(() => {})
  return {
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await over
    },
  }
}

/** The first answer was stored, although the connection was lost before the response came. */
function ignoreClosed(error: unknown): void {
  if (!(error instanceof Failure) || error.code !== 'human_task_closed') throw error
}
