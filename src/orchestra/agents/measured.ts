import type { Engine } from '#engine'
import type { Ratings } from './ratings.ts'

/** What an agent did, in numbers. Null where nothing ran or nobody said anything. */
export interface Measured {
  /** Dollars for a run, of the last 30 days; what models without a price took is not in it. */
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

/** Reads what all agents did, from the roll-ups of the engine: no run is looked at. */
export async function measureAgents(
  { history }: Pick<Engine, 'history'>,
  ratings: Pick<Ratings, 'averages'>,
): Promise<(id: string) => Measured> {
  const [month, day, rated] = await Promise.all([
    history.agents({ timeframe: '30d' }),
    history.agents({ timeframe: '24h' }),
    ratings.averages(),
  ])
  const last_updated = Math.floor(Date.now() / 1000)
  return (id) => {
    const { completed, failed, spent, duration_ms: took } = month.get(id) ?? nothing
    const runs = completed + failed
    const lately = day.get(id) ?? nothing
    return {
      average_cost: runs === 0 ? null : Math.round(spent / runs) / 1e6,
      success_rate: runs === 0 ? null : Math.round((completed / runs) * 10_000) / 100,
      average_duration: completed === 0 ? null : Math.round(took / completed) / 1000,
      executions_24h: lately.completed + lately.failed,
      user_rating: rated.get(id) ?? null,
      last_updated,
    }
  }
}

const nothing = { completed: 0, failed: 0, spent: 0, duration_ms: 0 }
