import type { Database } from '#kernel/database'
import type { ConfigStore } from '../config/config-store.ts'
import type { Prober } from './prober.ts'
import type { ServiceReport } from './service.ts'
import { readServices, reportOf } from './service-rows.ts'

/** How all services are, as some replica saw them last. */
export interface Services {
  /** In the order of their names. Ones that nobody has looked at yet are looked at now. */
  list(): Promise<readonly ServiceReport[]>
}

interface ServicesOptions {
  readonly database: Pick<Database, 'query'>
  readonly config: Pick<ConfigStore, 'read'>
  readonly prober: Pick<Prober, 'round'>
}

/** So many rounds may be missed, and so long may be needed to hand the watch over, before nobody keeps it. */
const missedRounds = 3
const handOverMs = 15_000

const maxRoundMs = 60_000

export function createServices({ database, config, prober }: ServicesOptions): Services {
  let first: Promise<unknown> | undefined

  async function lookNow(): Promise<void> {
    first ??= prober.round(AbortSignal.timeout(maxRoundMs)).finally(() => {
      first = undefined
    })
    await first
  }

  return {
    async list() {
      const [known, { config: rules }] = await Promise.all([readServices(database), config.read()])
      if (known.size > 0) {
        const maxMs = missedRounds * rules.interval_seconds * 1000 + rules.timeout_seconds * 1000 + handOverMs
        return [...known.values()].map((service) => withoutWatch(reportOf(service), maxMs))
      }
      await lookNow()
      return [...(await readServices(database)).values()].map(reportOf)
    },
  }
}

/** The watch is kept by workers: when it is not, none runs, and what was seen before says nothing about now. */
function withoutWatch(service: ServiceReport, maxMs: number): ServiceReport {
  const { name, state, lastCheck } = service
  if (Date.now() - lastCheck.getTime() <= maxMs || state === 'unconfigured') return service
  const since = `Nobody has looked since ${lastCheck.toISOString()}: no worker runs.`
  if (name === 'queue')
    return { ...service, state: 'offline', since: lastCheck, text: since, responseTime: 0 }
  return { ...service, text: `${since} Then: ${service.text}` }
}
