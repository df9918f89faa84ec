import { shareMetrics } from '../team/metrics.ts'
import type { Scene, Surroundings } from './surroundings.ts'

/** Brings the team's numbers up to date where the team wants that; a checkout that cannot be written is no reason to fail. */
export function shareWhenAsked({ project, config }: Scene, { now, warn }: Surroundings): void {
  if (!config.team.sharedMetrics) return
  try {
    shareMetrics(project, now)
  } catch (error) {
    warn(`The team's numbers could not be written: ${(error as Error).message}`)
  }
}
