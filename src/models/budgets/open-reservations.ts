import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import { reservationSeconds } from './reserve.ts'

/** The reservations of the running calls of this process, which are renewed while the process lives. */
interface OpenReservations extends Disposable {
  add(id: string): void
  remove(id: string): void
}

const defaultRenewEveryMs = 60_000

const renewStatement = `
  update model_reservations set expires_at = now() + ${reservationSeconds} * interval '1 second'
  where id = any($1::uuid[])
`

export function createOpenReservations({
  database,
  log,
  everyMs = defaultRenewEveryMs,
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
      // There are several more renewals before the reservations expire.
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
