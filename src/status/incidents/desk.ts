import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { Logger } from '#kernel/telemetry'
import type { RecurringTask } from '#kernel/work'
import type { Notices } from '#notices'
import type { RoundListener } from '../services/round.ts'
import type { StatusSettings } from '../settings.ts'
import { createAnnounce } from './announce.ts'
import { createOutageFollower } from './follow-outages.ts'
import { createIncidents, type Incidents } from './incidents.ts'
import { createIncidentTasks } from './tasks.ts'

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
  readonly notices: Pick<Notices, 'post' | 'configured'>
  readonly settings: Pick<StatusSettings, 'notify' | 'publicPage'>
  readonly publicUrl: string | undefined
  readonly log: Logger
}

export function createIncidentDesk(options: IncidentDeskOptions): IncidentDesk {
  const { database, events, notices, settings, publicUrl, log } = options
  const { notify: targets, publicPage } = settings
  const unreachable = targets.filter(({ kind }) => !notices.configured[kind])
  if (unreachable.length > 0) {
    const kinds = [...new Set(unreachable.map(({ kind }) => kind))]
    log.warn({ kinds }, 'TUTTI_STATUS_NOTIFY names people who cannot be told: no way to them is configured')
  }
  const announce = createAnnounce({
    events,
    notices,
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
