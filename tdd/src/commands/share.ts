import { shareMetrics } from '../team/metrics.ts'
import type { Scene, Surroundings } from './surroundings.ts'

/** Updates the metrics of the team if enabled; a read-only checkout is no error. */
export function shareWhenAsked({ project, config }: Scene, { now, warn }: Surroundings): void {
  if (!config.team.sharedMetrics) return
  try {
    shareMetrics(project, now)
  } catch (error) {
    warn(`The team's numbers could not be written: ${(error as Error).message}`)
  }
}
