import { useApi } from '../../api/api-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useMay } from '../../api/use-may.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Section } from '../../parts/Section.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import type { AgentRating, WholeAgent } from '../agents/agent-bodies.ts'
import { agentRatingQuery } from '../agents/agent-queries.ts'
import { describeRating } from '../agents/agent-words.ts'
import styles from './Agent.module.css'
import { Bars } from './Bars.tsx'
import { RateAgent } from './RateAgent.tsx'
import { ratingWords } from './rating-words.ts'

/** What people think of an agent, and what you do. */
export function RatingTab({ agent }: { agent: WholeAgent }) {
  const mayRate = useMay('run workflows')
  const { data, failure, refetch } = useAnswer(agentRatingQuery(useApi(), agent.id))
  if (data === undefined && failure !== null)
    return (
      <FailureNotice what="The ratings could not be read." error={failure} onRetry={() => void refetch()} />
    )
  return (
    <div className={styles['pair']}>
      <Section title="What people think" note={data === undefined ? undefined : countText(data.ratings)}>
        <div className={styles['inside']} aria-busy={data === undefined}>
          {data === undefined ? <Skeleton width={200} /> : <Opinions rating={data} />}
        </div>
      </Section>
      {mayRate && data !== undefined ? (
        <Section title="Your rating" note={data.mine === null ? undefined : 'another one takes its place'}>
          <div className={styles['inside']}>
            <RateAgent agent={agent} mine={data.mine} />
          </div>
        </Section>
      ) : null}
    </div>
  )
}

function Opinions({ rating }: { rating: AgentRating }) {
  const { ratings, distribution, comments, user_rating: mean } = rating
  if (ratings === 0) return <p className={styles['words']}>Nobody has rated it yet.</p>
  return (
    <>
      <p>
        <strong>{describeRating(mean)}</strong> on average
      </p>
      <Bars
        title="Ratings"
        whole={ratings}
        bars={ratingWords.map(({ value, label }) => ({ name: label, value: distribution[value] }))}
      />
      {comments.length === 0 ? null : (
        <ul className={styles['comments']} aria-label="Comments">
          {comments.map(({ rating: given, comment, updated_at: at }) => (
            <li key={`${at} ${given} ${comment}`}>
              <span className={styles['words']}>
                {given} of 5, <RelativeTime at={new Date(at * 1000).toISOString()} />
              </span>
              <p>{comment}</p>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function countText(ratings: number): string {
  return ratings === 1 ? '1 rating' : `${ratings.toLocaleString()} ratings`
}
