import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import { type ClosedNow, closeDueWaits, maxPerStatement } from './close-waits.ts'

interface TimersOptions {
  readonly database: Pick<Database, 'query'>
  readonly log: Pick<Logger, 'warn'>
  /** Called with the waits that were closed here. */
  readonly onClosed: (closed: readonly ClosedNow[]) => void
}

/** Waits opened by other processes are found within this time. */
const maxDelayMs = 1000

/** In milliseconds; null: no open wait ends at a known time. */
const nextStatement = `
  select (extract(epoch from min(wake_at) - now()) * 1000)::float8 as delay
  from engine_waits where state = 'open' and wake_at is not null
`

/**
 * Closes waits when their time has passed. Every process does this: they skip the executions that another one has locked, and a wait is
 * closed once. Nothing is kept in memory, so a million waits cost nothing until they are due.
 */
export function startWaitTimers({ database, log, onClosed }: TimersOptions): AsyncDisposable {
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let running: Promise<void> = Promise.resolve()

  async function closeDue(): Promise<number> {
    const closed = await closeDueWaits(database)
    onClosed(closed)
    if (closed.length === maxPerStatement) return 0
    const [row] = await database.query<{ delay: number | null }>(nextStatement, [], 'engine_next_wait')
    // A wait that stays due belongs to an execution that is being committed.
    return Math.min(maxDelayMs, Math.max(minDelayMs, row?.delay ?? maxDelayMs))
  }

  async function tick(): Promise<void> {
    let delayMs = maxDelayMs
    try {
      delayMs = await closeDue()
    } catch (error) {
      log.warn({ err: error }, 'waits that are due could not be closed, retrying in 1 s')
    }
    if (!isClosed) arm(delayMs)
  }

  function arm(delayMs: number): void {
    timer = setTimeout(() => {
      running = tick()
    }, delayMs)
  }

  arm(0)
  return {
    async [Symbol.asyncDispose]() {
      isClosed = true
      clearTimeout(timer)
      await running
    },
  }
}

const minDelayMs = 20
