import { isDatabaseUnavailable } from '#kernel/database'
import type { StatusConfig } from '../config/config.ts'
import type { ConfigStore } from '../config/config-store.ts'
import type { ServiceReport } from '../services/service.ts'
import type { Services } from '../services/services.ts'
import { type Health, judgeHealth } from './score.ts'

/** How everything is at this moment. */
export interface HealthReport extends Health {
  readonly services: readonly ServiceReport[]
  readonly weights: StatusConfig['weights']
}

export type ReadHealth = () => Promise<HealthReport>

interface HealthOptions {
  readonly services: Services
  readonly config: Pick<ConfigStore, 'read'>
}

/** What is known stands in the database: when that does not answer, this process tells what it knew last, and that. */
export function createReadHealth({ services, config }: HealthOptions): ReadHealth {
  let last: HealthReport | undefined

  return async () => {
    try {
      const [reports, { config: rules }] = await Promise.all([services.list(), config.read()])
      last = reportOf(reports, rules.weights)
      return last
    } catch (error) {
      if (last === undefined || !isDatabaseUnavailable(error)) throw error
      return reportOf(last.services.map(withoutDatabase), last.weights)
    }
  }
}

function reportOf(services: readonly ServiceReport[], weights: StatusConfig['weights']): HealthReport {
  return { ...judgeHealth(services, weights), services, weights }
}

function withoutDatabase(service: ServiceReport): ServiceReport {
  if (service.name !== 'database') return service
  const now = new Date()
  return {
    ...service,
    state: 'offline',
    since: service.state === 'offline' ? service.since : now,
    text: 'It does not answer.',
    responseTime: 0,
    lastCheck: now,
  }
}
