import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import { type Executor, type RecurringTask, runStatement } from '#kernel/work'
import { findEventTypes } from '../store.ts'
import { wakeFollowers } from './followers.ts'

export interface WakeTaskOptions {
  readonly database: Pick<Database, 'query' | 'transaction'>
  readonly events: Pick<Events, 'read' | 'lastId'>
}

const pageSize = 200

/**
 * Wakes the followers of the accounts whose triggers new events concern. One replica at a time reads the event log after a stored cursor. The
 * task looks at types and accounts alone, so that its time does not depend on what the triggers of an account do.
 */
export function createWakeTask({ database, events }: WakeTaskOptions): RecurringTask {
  async function readCursor(): Promise<number | null> {
    const [row] = await database.query<{ position: number | null }>(
      'select position from trigger_event_cursor',
    )
    return row?.position ?? null
  }

  /** Reads a page of events. Returns whether there may be more. */
  async function readPage(): Promise<boolean> {
    // Before the page: events between both belong to the next one.
    const last = await events.lastId()
    const cursor = await readCursor()
    if (cursor === last) return false
    const types = cursor === null ? [] : await findEventTypes(database)
    // A new installation, or one whose log was restored, does not start with old events.
    if (cursor === null || cursor > last || types.length === 0) {
      await moveCursor(database, last)
      return false
    }
    const { events: page } = await events.read({ after: cursor, limit: pageSize, types })
    const isFull = page.length === pageSize
    const end = page.at(-1)?.id ?? 0
    await database.transaction(async (transaction) => {
      if (page.length > 0) await wakeFollowers(transaction, page)
      await moveCursor(transaction, isFull ? end : Math.max(last, end))
    })
    return isFull
  }

  return {
    name: 'triggers.events',
    everyMs: 1000,
    async run(signal) {
      while (!signal.aborted && (await readPage()));
    },
  }
}

function moveCursor(executor: Executor, position: number): Promise<unknown> {
  return runStatement(executor, 'update trigger_event_cursor set position = $1', [position])
}
