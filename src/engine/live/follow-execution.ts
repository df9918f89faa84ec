import type { Database } from '#kernel/database'
import type { ExecutionEvent } from '../store/commit.ts'
import type { Live } from './live.ts'

/** A streamed piece of a model's response. It has no number: a later reader finds the text in the output. */
interface TokenEvent {
  readonly type: 'token'
  readonly item: number
  readonly stepId: string
  readonly text: string
}

/**
 * Text of a step that this reader does not get: it read too slowly, or the connection for live messages was lost. The whole text is part
 * of the output once the step has ended.
 */
interface TokenGapEvent {
  readonly type: 'token_gap'
  readonly item: number
  readonly stepId: string
  /** The number of missing pieces; null: unknown, possibly none. */
  readonly characters: number | null
}

/** An event for a reader of an execution. */
export type FollowedEvent = ExecutionEvent | TokenEvent | TokenGapEvent

type StepOfToken = Pick<TokenEvent, 'item' | 'stepId'>

export interface FollowOptions {
  readonly id: string
  /** The number of the last known event; 0 for all. */
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

/** The journal is also read without a hint, at this interval. */
const lookEveryMs = 10_000

/** The maximum of unread text per reader. A `token_gap` replaces further text. */
const maxTokenLength = 256 * 1024

/**
 * Yields the events of an execution after a given one, then new events until it ends. Each numbered event comes exactly once and in
 * order, whichever process runs the execution. Pieces of text come as they are streamed; a `token_gap` replaces missing ones.
 */
export async function* followExecution(
  { database, live }: { readonly database: Pick<Database, 'query'>; readonly live: Live },
  { id, after, signal }: FollowOptions,
): AsyncGenerator<FollowedEvent, void> {
  let cursor = after
  /** Steps that ended: later messages about them are part of their output. */
  const over = new Set<string>()
  /** Steps that have streamed text and have not ended. */
  const speaking = new Map<string, StepOfToken>()
  let tokens: TokenEvent[] = []
  let tokenLength = 0
  /** Replaces text when too many pieces are unread: further ones are only counted. */
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
    // After a gap, text of the step is dropped until the reader got the gap.
    if (gaps.has(step) || tokenLength + text.length > maxTokenLength) {
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
      const updates = [...tokens, ...gaps.values()]
      tokens = []
      tokenLength = 0
      gaps = new Map()
      yield* updates
      if (isNews) {
        isNews = false
        // Read before the journal: an execution that has ended by now has all its events there.
        const [row] = await database.query<{ over: boolean }>(overStatement, [id], 'engine_is_over')
        if (row === undefined) return
        const events = await readAfter(database, id, cursor)
        yield* events
        for (const { type, data } of events) {
          const step = `${Number(data['item'] ?? 0)} ${String(data['step_id'])}`
          if (type === 'step_completed') over.add(step)
          if (type === 'step_completed' || type === 'step_failed') speaking.delete(step)
          // A recovered step streams text again.
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
