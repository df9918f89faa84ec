import type { Database } from '#kernel/database'
import type { ConfigStore } from '../config/config-store.ts'
import type { Prober } from './prober.ts'
import type { ServiceReport } from './service.ts'
import { readServices, reportOf } from './service-rows.ts'

/** The last known status of all services, whichever replica probed them. */
export interface Services {
  /** In display order. Before the first round it runs one. */
  list(): Promise<readonly ServiceReport[]>
}

interface ServicesOptions {
  readonly database: Pick<Database, 'query'>
  readonly config: Pick<ConfigStore, 'read'>
  readonly prober: Pick<Prober, 'round'>
}

/** Missed rounds, and the time another worker needs to take over, before the status is stale. */
const missedRounds = 3
const takeoverMs = 15_000

const maxRoundMs = 60_000

export function createServices({ database, config, prober }: ServicesOptions): Services {
  let first: Promise<unknown> | undefined

  async function probeNow(): Promise<void> {
    first ??= prober.round(AbortSignal.timeout(maxRoundMs)).finally(() => {
      first = undefined
    })
    await first
  }

  return {
    async list() {
      const [known, { config: rules }] = await Promise.all([readServices(database), config.read()])
      if (known.size > 0) {
        const maxMs = missedRounds * rules.interval_seconds * 1000 + rules.timeout_seconds * 1000 + takeoverMs
        return [...known.values()].map((service) => markStale(reportOf(service), maxMs))
      }
      await probeNow()
      return [...(await readServices(database)).values()].map(reportOf)
    },
  }
}

/** Workers run the rounds: without rounds no worker is running, and the stored states are outdated. */
function markStale(service: ServiceReport, maxMs: number): ServiceReport {
  const { name, state, lastCheck } = service
  if (Date.now() - lastCheck.getTime() <= maxMs || state === 'unconfigured') return service
  const since = `Not checked since ${lastCheck.toISOString()}: no worker is running.`
  if (name === 'queue')
    return { ...service, state: 'offline', since: lastCheck, text: since, responseTime: 0 }
  return { ...service, text: `${since} Last result: ${service.text}` }
}
