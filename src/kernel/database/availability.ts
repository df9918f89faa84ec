import { setTimeout as delay } from 'node:timers/promises'
import { databaseUnavailable } from './connection-errors.ts'

/**
 * Whether the server can be reached, so that a crowd of callers waits behind one probe instead of knocking each for itself.
 *
 * | state | on                          | next                                                  |
 * |-------|-----------------------------|-------------------------------------------------------|
 * | up    | a connection attempt failed | down; one probe starts, 20 ms to 500 ms between tries |
 * | down  | the probe connects          | up; everyone waiting goes on                          |
 * | down  | a caller's patience ends    | down; that caller gets `database_unavailable`         |
 * | any   | close                       | the probe stops; waiting callers get it too           |
 */
export interface Availability {
  /** Undefined when up: the hot path does not even await. */
  waitUntilUp(deadline: number): Promise<void> | undefined
  reportDown(cause: unknown): void
  close(): void
}

export function createAvailability(probe: () => Promise<void>): Availability {
  const closing = new AbortController()
  let recovery: { readonly done: Promise<void>; cause: unknown } | undefined

  async function recover(): Promise<void> {
    for (let waitMs = 20; ; waitMs = Math.min(waitMs * 1.6, 500)) {
      await delay(waitMs, undefined, { signal: closing.signal })
      try {
        await probe()
        recovery = undefined
        return
      } catch (error) {
        if (recovery) recovery.cause = error
      }
    }
  }

  return {
    waitUntilUp(deadline) {
      const current = recovery
      if (current === undefined) return undefined
      return waitWithin(deadline, current.done, () => current.cause)
    },
    reportDown(cause) {
      if (recovery !== undefined || closing.signal.aborted) return
      const done = recover()
      done.catch(() => {})
      recovery = { done, cause }
    },
    close() {
      closing.abort()
    },
  }
}

async function waitWithin(deadline: number, done: Promise<void>, lastCause: () => unknown): Promise<void> {
  const patience = new AbortController()
  const impatience = delay(Math.max(0, deadline - Date.now()), 'late', { signal: patience.signal })
  impatience.catch(() => {})
  try {
    if ((await Promise.race([done, impatience])) === 'late') throw databaseUnavailable(lastCause())
  } catch (error) {
    throw error instanceof Error && error.name === 'AbortError' ? databaseUnavailable(lastCause()) : error
  } finally {
    patience.abort()
  }
}
