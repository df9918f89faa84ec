import type { Database } from '#kernel/database'
import type { ExecutionEvent } from '../store/commit.ts'
import type { Live } from './live.ts'

/** A piece of what a model says, as it comes. It has no number: whoever comes later finds it in the output. */
interface TokenEvent {
  readonly type: 'token'
  readonly item: number
  readonly stepId: string
  readonly text: string
}

/**
 * Text of a step that this reader does not get: it read too slowly, or the connection that carries the text was lost for a while. The
 * whole text is part of the output once the step is over.
 */
interface TokenGapEvent {
  readonly type: 'token_gap'
  readonly item: number
  readonly stepId: string
  /** How many are left out; null: unknown, possibly none. */
  readonly characters: number | null
}

/** What a reader of an execution gets. */
export type FollowedEvent = ExecutionEvent | TokenEvent | TokenGapEvent

type StepOfToken = Pick<TokenEvent, 'item' | 'stepId'>

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

/** The most unread text that is kept for a reader. The reader is told of text beyond it by a `token_gap`. */
const mostTokenLength = 256 * 1024

/**
 * Everything that happened in an execution after an event, and then what happens, until it is over. Each numbered event comes
 * once and in its order, whichever process runs it. Pieces of text come as they are said; where some are left out, a `token_gap`
 * stands in their place.
 */
export async function* followExecution(
  { database, live }: { readonly database: Pick<Database, 'query'>; readonly live: Live },
  { id, after, signal }: FollowOptions,
): AsyncGenerator<FollowedEvent, void> {
  let cursor = after
  /** Steps that are over: what is heard of them later is part of their output. */
  const over = new Set<string>()
  /** Steps that have said something and are not over. */
  const speaking = new Map<string, StepOfToken>()
  let tokens: TokenEvent[] = []
  let tokenLength = 0
  /** What follows the unread pieces of text: once there are too many of them, the rest is only counted. */
  let gaps = new Map<string, TokenGapEvent>()
  let isNews = true
  let wake: (() => void) | undefined
  const look = () => {
    isNews = true
    wake?.()
  }
  const watching = live.watch(id, (message) => {
    if (message?.kind === 'token') hear(message)
    if (message === undefined) for (const step of speaking.values()) leaveOut(step, null)
    if (message === undefined || message.kind === 'advanced') look()
  })
  function hear({ item, stepId, text }: StepOfToken & { readonly text: string }): void {
    const step = `${item} ${stepId}`
    if (over.has(step)) return
    speaking.set(step, { item, stepId })
    // After a gap there is no text of the step until the reader was told of it.
    if (gaps.has(step) || tokenLength + text.length > mostTokenLength) {
      leaveOut({ item, stepId }, text.length)
    } else {
      tokens.push({ type: 'token', item, stepId, text })
      tokenLength += text.length
    }
    wake?.()
  }
  function leaveOut({ item, stepId }: StepOfToken, characters: number | null): void {
    const step = `${item} ${stepId}`
    const known = gaps.get(step)?.characters ?? (gaps.has(step) ? null : 0)
    const sum = characters === null || known === null ? null : known + characters
    gaps.set(step, { type: 'token_gap', item, stepId, characters: sum })
  }
  const timer = setInterval(look, lookEveryMs)
  const stop = () => wake?.()
  signal.addEventListener('abort', stop, { once: true })
  try {
    while (!signal.aborted) {
      const told = [...tokens, ...gaps.values()]
      tokens = []
      tokenLength = 0
      gaps = new Map()
      yield* told
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
          if (type === 'step_completed' || type === 'step_failed') speaking.delete(step)
          // A step that was recovered speaks again.
          if (type === 'step_started') over.delete(step)
        }
        cursor = events.at(-1)?.seq ?? cursor
        if (events.length > 0) isNews = true
        else if (row.over) return
        continue
      }
      if (tokens.length > 0 || gaps.size > 0) continue
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
