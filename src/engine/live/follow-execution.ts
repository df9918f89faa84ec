import type { Database } from '#kernel/database'
import type { ExecutionEvent } from '../store/commit.ts'
import type { Live } from './live.ts'

/** A piece of what a model says, as it comes. It has no number: whoever comes later finds it in the output. */
export interface TokenEvent {
  readonly type: 'token'
  readonly item: number
  readonly stepId: string
  readonly text: string
}

export interface FollowOptions {
  readonly id: string
  /** The number of the last event that is known; 0 for all. */
  readonly after: number
  readonly signal: AbortSignal
}

const journalStatement = `
  select entries from engine_events
  where execution_id = $1
    and first_seq >= coalesce(
      (select max(first_seq) from engine_events where execution_id = $1 and first_seq <= $2), 0
    )
  order by first_seq
  limit 200
`

const overStatement = `select work_state = 'finished' as over from engine_executions where id = $1`

/** Without a hint it is looked anyway, now and then. */
const lookEveryMs = 10_000

/** What is said while nobody reads is kept up to here. */
const mostTokenLength = 256 * 1024

/**
 * Everything that happened in an execution after an event, and then what happens, until it is over. Each numbered event comes
 * once and in its order, whichever process runs it.
 */
export async function* followExecution(
  { database, live }: { readonly database: Pick<Database, 'query'>; readonly live: Live },
  { id, after, signal }: FollowOptions,
): AsyncGenerator<ExecutionEvent | TokenEvent, void> {
  let cursor = after
  /** Steps that are over: what is heard of them later is part of their output. */
  const over = new Set<string>()
  let tokens: TokenEvent[] = []
  let tokenLength = 0
  let isNews = true
  let wake: (() => void) | undefined
  const look = () => {
    isNews = true
    wake?.()
  }
  const watching = live.watch(id, (message) => {
    if (message?.kind === 'token' && tokenLength < mostTokenLength) {
      const { item, stepId, text } = message
      if (over.has(`${item} ${stepId}`)) return
      tokens.push({ type: 'token', item, stepId, text })
      tokenLength += text.length
      wake?.()
    }
    if (message === undefined || message.kind === 'advanced') look()
  })
  const timer = setInterval(look, lookEveryMs)
  const stop = () => wake?.()
  signal.addEventListener('abort', stop, { once: true })
  try {
    while (!signal.aborted) {
      const said = tokens
      tokens = []
      tokenLength = 0
      yield* said
      if (isNews) {
        isNews = false
        // Asked first: what is over by now has all its events in the journal.
        const [row] = await database.query<{ over: boolean }>(overStatement, [id], 'engine_is_over')
        if (row === undefined) return
        const events = await readAfter(database, id, cursor)
        yield* events
        for (const { type, data } of events) {
          const step = `${Number(data['item'] ?? 0)} ${String(data['step_id'])}`
          if (type === 'step_completed') over.add(step)
          // A step that was recovered speaks again.
          if (type === 'step_started') over.delete(step)
        }
        cursor = events.at(-1)?.seq ?? cursor
        if (events.length > 0) isNews = true
        else if (row.over) return
        continue
      }
      if (tokens.length > 0) continue
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      await promise
      wake = undefined
    }
  } finally {
    watching[Symbol.dispose]()
    clearInterval(timer)
    signal.removeEventListener('abort', stop)
  }
}

async function readAfter(
  database: Pick<Database, 'query'>,
  id: string,
  cursor: number,
): Promise<ExecutionEvent[]> {
  const rows = await database.query<{ entries: (Omit<ExecutionEvent, 'at'> & { at: string })[] }>(
    journalStatement,
    [id, cursor],
    'engine_read_journal',
  )
  return rows
    .flatMap(({ entries }) => entries)
    .filter(({ seq }) => seq > cursor)
    .map((event) => ({ ...event, at: new Date(event.at) }))
}
