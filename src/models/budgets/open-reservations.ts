import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'

/** The reservations whose calls run in this process, kept from expiring for as long as it lives. */
export interface OpenReservations extends Disposable {
  add(id: string): void
  remove(id: string): void
}

/** A reservation that nobody renews for so long belonged to a process that is gone. */
export const reservationSeconds = 300

const renewEveryMs = 60_000

const renewStatement = `
  update model_reservations set expires_at = now() + ${reservationSeconds} * interval '1 second'
  where id = any($1::uuid[])
`

export function createOpenReservations({
  database,
  log,
  everyMs = renewEveryMs,
}: {
  readonly database: Database
  readonly log: Logger
  readonly everyMs?: number | undefined
}): OpenReservations {
  const open = new Set<string>()

  async function renew(): Promise<void> {
    if (open.size === 0) return
    try {
      await database.query(renewStatement, [[...open]])
    } catch (error) {
      // There are several more turns before they expire.
      log.debug({ err: error }, 'reservations could not be renewed')
    }
  }

  const timer = setInterval(() => void renew(), everyMs).unref()
  return {
    add: (id) => void open.add(id),
    remove: (id) => void open.delete(id),
    [Symbol.dispose]: () => clearInterval(timer),
  }
}
