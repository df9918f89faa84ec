import type { Engine } from '#engine'
import { units } from '#executions-api'
import type { Ratings } from './ratings.ts'

/** The statistics of an agent. Null without runs or ratings. */
export interface AgentStats {
  /** Dollars per run over the last 30 days, without calls to unpriced models. */
  readonly average_cost: number | null
  /** Percent of the runs of the last 30 days. */
  readonly success_rate: number | null
  /** Seconds, of the runs of the last 30 days that succeeded. */
  readonly average_duration: number | null
  readonly executions_24h: number
  readonly user_rating: number | null
  /** Epoch seconds: when these numbers were read. */
  readonly last_updated: number
}

/** Reads the statistics of all agents from the roll-ups of the engine, without reading runs. */
export async function readAgentStats(
  { history }: Pick<Engine, 'history'>,
  ratings: Pick<Ratings, 'averages'>,
): Promise<(id: string) => AgentStats> {
  const [month, day, averages] = await Promise.all([
    history.agents({ timeframe: '30d' }),
    history.agents({ timeframe: '24h' }),
    ratings.averages(),
  ])
  const last_updated = units.epochSeconds(new Date())
  return (id) => {
    const { completed, failed, spent, duration_ms: took } = month.get(id) ?? noRuns
    const runs = completed + failed
    const lastDay = day.get(id) ?? noRuns
    return {
      average_cost: units.dollars(units.ratio(spent, runs)),
      success_rate: units.successRate({ completed, failed }),
      average_duration: units.seconds(units.ratio(took, completed)),
      executions_24h: lastDay.completed + lastDay.failed,
      user_rating: averages.get(id) ?? null,
      last_updated,
    }
  }
}

const noRuns = { completed: 0, failed: 0, spent: 0, duration_ms: 0 }
