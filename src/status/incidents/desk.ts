import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { Logger } from '#kernel/telemetry'
import type { RecurringTask } from '#kernel/work'
import type { Notifications } from '#notifications'
import type { RoundListener } from '../services/round.ts'
import type { StatusSettings } from '../settings.ts'
import { type Announce, createAnnounce } from './announce.ts'
import { createOutageFollower } from './follow-outages.ts'
import { createIncidents, type Incidents } from './incidents.ts'
import { advanceMaintenance } from './maintenance.ts'

/** Where incidents are kept: by the prober, by the clock and by hand. */
export interface IncidentDesk {
  readonly incidents: Incidents
  /** What the prober found. */
  readonly onRound: RoundListener
  readonly tasks: readonly RecurringTask[]
}

interface IncidentDeskOptions {
  readonly database: Database
  readonly events: Pick<Events, 'appendWithin'>
  readonly notifications: Pick<Notifications, 'post' | 'configured'>
  readonly settings: Pick<StatusSettings, 'notify' | 'publicPage'>
  readonly publicUrl: string | undefined
  readonly log: Logger
}

export function createIncidentDesk(options: IncidentDeskOptions): IncidentDesk {
  const { database, events, notifications, settings, publicUrl, log } = options
  const { notify: targets, publicPage } = settings
  const unreachable = targets.filter(({ kind }) => !notifications.configured[kind])
  if (unreachable.length > 0) {
    const kinds = [...new Set(unreachable.map(({ kind }) => kind))]
    log.warn({ kinds }, 'TUTTI_STATUS_NOTIFY names people who cannot be told: no way to them is configured')
  }
  const announce = createAnnounce({
    events,
    notifications,
    targets,
    linkOf: (id) =>
      publicPage && publicUrl !== undefined
        ? `${publicUrl.replace(/\/$/, '')}/status/incidents/${id}`
        : undefined,
  })
  return {
    incidents: createIncidents({ database, announce }),
    onRound: createOutageFollower(announce),
    tasks: createIncidentTasks(database, announce),
  }
}

const chunkSize = 500

/** Longer than any page or feed looks back. */
const pruneStatement = `
  delete from status_incidents where id in (
    select id from status_incidents
    where closed_at < now() - interval '2 years'
    order by closed_at
    limit ${chunkSize}
    for update skip locked
  )
  returning 1
`

function createIncidentTasks(database: Database, announce: Announce): readonly RecurringTask[] {
  return [
    {
      name: 'status.maintenance',
      everyMs: 15_000,
      run: () => advanceMaintenance(database, announce),
    },
    {
      name: 'status.incidents.prune',
      everyMs: 24 * 3_600_000,
      async run(signal) {
        do signal.throwIfAborted()
        while ((await database.query(pruneStatement)).length === chunkSize)
      },
    },
  ]
}
