import { type PerService, type ServiceName, type ServiceState, valueFor } from '../services/service.ts'

export const healthLevels = ['healthy', 'degraded', 'critical'] as const

type HealthLevel = (typeof healthLevels)[number]

interface ScoredService {
  readonly name: ServiceName
  readonly state: ServiceState
}

export interface Health {
  /** 0 to 100. */
  readonly score: number
  readonly level: HealthLevel
  /** The level as a sentence. */
  readonly message: string
}

/** The share of its weight that a service contributes. */
const shareOf: Readonly<Record<Exclude<ServiceState, 'unconfigured'>, number>> = {
  online: 1,
  degraded: 0.5,
  offline: 0,
}

export const scoreFormula =
  '100 × Σ(weight × share) / Σ(weight), rounded, over the configured services; the share is 1 for online, 0.5 for degraded and 0 for offline.'

export const levelRules =
  '`critical`: the score is below 50, or the database is offline. `healthy`: the score is 90 or more and nothing is offline. Otherwise `degraded`.'

/**
 * Score and level from the states of the services. If the configured services all have weight 0, they count equally.
 *
 * | score            | condition                   | level    |
 * |------------------|-----------------------------|----------|
 * | below 50         |                             | critical |
 * | any              | the database is offline     | critical |
 * | 90 or more       | nothing is offline          | healthy  |
 * | any other        |                             | degraded |
 */
export function scoreHealth(services: readonly ScoredService[], weights: PerService<number>): Health {
  const measured = services.flatMap(({ name, state }) =>
    state === 'unconfigured' ? [] : [{ name, state, weight: valueFor(weights, name) }],
  )
  const total = measured.reduce((sum, { weight }) => sum + weight, 0)
  const reached = measured.reduce(
    (sum, { state, weight }) => sum + (total === 0 ? 1 : weight) * shareOf[state],
    0,
  )
  const score =
    measured.length === 0 ? 0 : Math.round((100 * reached) / (total === 0 ? measured.length : total))
  const names = (wanted: ServiceState) =>
    measured.filter(({ state }) => state === wanted).map(({ name }) => name)
  const [offline, degraded] = [names('offline'), names('degraded')]
  return {
    score,
    level: levelOf(score, offline),
    message: describe(measured.length, offline, degraded),
  }
}

function levelOf(score: number, offline: readonly ServiceName[]): HealthLevel {
  if (score < 50 || offline.includes('database')) return 'critical'
  return score >= 90 && offline.length === 0 ? 'healthy' : 'degraded'
}

function describe(count: number, offline: readonly ServiceName[], degraded: readonly ServiceName[]): string {
  if (count === 0) return 'No service has been checked yet.'
  const parts = [
    ...(offline.length > 0 ? [`Offline: ${offline.join(', ')}.`] : []),
    ...(degraded.length > 0 ? [`Degraded: ${degraded.join(', ')}.`] : []),
  ]
  if (parts.length > 0) return parts.join(' ')
  return count === 1
    ? 'The only configured service is online.'
    : `All ${count} configured services are online.`
}
