import type { Database } from '#kernel/database'

/** The rating of an agent by an account. */
interface Rating {
  /** 1 to 5. */
  readonly rating: number
  readonly comment: string | null
  readonly executionId: string | null
  readonly updatedAt: Date
}

interface GivenRating extends Pick<Rating, 'rating' | 'comment' | 'executionId'> {
  readonly agentId: string
  readonly accountId: string
}

interface RatingSummary {
  /** Null without a rating. */
  readonly average: number | null
  readonly count: number
  /** The number of ratings with 1, 2, 3, 4 and 5. */
  readonly counts: readonly number[]
  readonly mine: Rating | undefined
  /** The newest ratings with a comment. */
  readonly comments: readonly Rating[]
}

/** Ratings of agents: one for each account and agent, which the account may change. */
export interface Ratings {
  /** Returns whether it is the first rating of this agent by the account. */
  rate(given: GivenRating): Promise<boolean>
  summary(agentId: string, accountId: string | null): Promise<RatingSummary>
  /** The mean of each rated agent. */
  averages(): Promise<ReadonlyMap<string, number>>
}

const maxComments = 20
const columns = `rating, comment, execution_id as "executionId", updated_at as "updatedAt"`

export function createRatings(database: Pick<Database, 'query'>): Ratings {
  return {
    async rate({ agentId, accountId, rating, comment, executionId }) {
      const [row] = await database.query<{ is_new: boolean }>(
        `
          insert into orchestra_agent_ratings (agent_id, account_id, rating, comment, execution_id)
          values ($1, $2, $3, $4, $5)
          on conflict (agent_id, account_id) do update
          set rating = excluded.rating,
            comment = excluded.comment,
            execution_id = excluded.execution_id,
            updated_at = now()
          returning created_at = updated_at as is_new
        `,
        [agentId, accountId, rating, comment, executionId],
      )
      return row?.is_new === true
    },

    async summary(agentId, accountId) {
      const [counted, [mine], comments] = await Promise.all([
        database.query<{ rating: number; count: number }>(
          `
            select rating, count(*)::integer as count
            from orchestra_agent_ratings
            where agent_id = $1
            group by rating
          `,
          [agentId],
        ),
        database.query<Rating>(
          `select ${columns} from orchestra_agent_ratings where agent_id = $1 and account_id = $2`,
          [agentId, accountId],
        ),
        database.query<Rating>(
          `
            select ${columns}
            from orchestra_agent_ratings
            where agent_id = $1 and comment is not null
            order by updated_at desc, account_id
            limit ${maxComments}
          `,
          [agentId],
        ),
      ])
      const counts = [1, 2, 3, 4, 5].map(
        (stars) => counted.find(({ rating }) => rating === stars)?.count ?? 0,
      )
      const count = counts.reduce((sum, each) => sum + each, 0)
      const sum = counts.reduce((total, each, index) => total + each * (index + 1), 0)
      return { average: count === 0 ? null : rounded(sum / count), count, counts, mine, comments }
    },

    async averages() {
      const rows = await database.query<{ agent_id: string; average: number }>(
        `
          select agent_id, avg(rating)::double precision as average
          from orchestra_agent_ratings
          group by agent_id
        `,
      )
      return new Map(rows.map(({ agent_id, average }) => [agent_id, rounded(average)]))
    },
  }
}

function rounded(mean: number): number {
  return Math.round(mean * 100) / 100
}
