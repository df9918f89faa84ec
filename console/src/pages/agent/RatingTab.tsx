import '../../theme/mantine-form.css'
import { Radio, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { useMay } from '../../api/use-may.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Form } from '../../parts/Form.tsx'
import { Section } from '../../parts/Section.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { type AgentRating, agentRatingQuery, type WholeAgent } from '../agents/agent-queries.ts'
import { describeRating } from '../agents/agent-words.ts'
import styles from './Agent.module.css'
import { Bars } from './Bars.tsx'

/** The ratings of an agent, and the user's own. */
export function RatingTab({ agent }: { agent: WholeAgent }) {
  const mayRate = useMay('run workflows')
  const { data, failure, refetch } = useApiQuery(agentRatingQuery(useApi(), agent.id))
  if (data === undefined && failure !== null)
    return (
      <FailureNotice what="The ratings could not be loaded." error={failure} onRetry={() => void refetch()} />
    )
  return (
    <div className={styles['pair']}>
      <Section title="Ratings" note={data === undefined ? undefined : countText(data.ratings)}>
        <div className={styles['inside']} aria-busy={data === undefined}>
          {data === undefined ? <Skeleton width={200} /> : <Opinions rating={data} />}
        </div>
      </Section>
      {mayRate && data !== undefined ? (
        <Section title="Your rating" note={data.mine === null ? undefined : 'you can change it'}>
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
  if (ratings === 0) return <p className={styles['words']}>No ratings yet.</p>
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

interface RateAgentProps {
  readonly agent: WholeAgent
  readonly mine: AgentRating['mine']
}

/** The form for the user’s own rating. Ratings are shown without names. */
function RateAgent({ agent, mine }: RateAgentProps) {
  const cache = useQueryClient()
  const [rating, setRating] = useState(mine === null ? '' : String(mine.rating))
  const [comment, setComment] = useState(mine?.comment ?? '')
  const submission = useSubmission({
    fields: ['rating', 'comment'],
    send: async ({ client }) => {
      if (rating === '') throw new Error('Choose a rating from 1 to 5.')
      return await bodyOf(
        client.POST('/ai-orchestra/api/agents/{id}/rating', {
          params: { path: { id: agent.id } },
          body: { rating: Number(rating), ...(comment.trim() === '' ? {} : { comment: comment.trim() }) },
        }),
      )
    },
    async onDone() {
      await cache.invalidateQueries({ queryKey: ['agents'] })
      await notify({ title: `You rated “${agent.label}” ${rating} of 5` })
    },
  })
  return (
    <Form submission={submission} submitLabel="Rate" failureSentence="The rating was not saved.">
      <Radio.Group label="Rating" value={rating} onChange={setRating} error={submission.problemOf('rating')}>
        <div className={styles['ratings']}>
          {ratingWords.map(({ value, label }) => (
            <Radio key={value} size="xs" value={value} label={label} />
          ))}
        </div>
      </Radio.Group>
      <Textarea
        label="Comment (optional)"
        description="Shown to other users without your name."
        autosize
        minRows={2}
        maxRows={8}
        value={comment}
        error={submission.problemOf('comment')}
        onChange={({ currentTarget }) => setComment(currentTarget.value)}
      />
    </Form>
  )
}

/** The five ratings, highest first. */
const ratingWords = [
  { value: '5', label: '5 (best)' },
  { value: '4', label: '4' },
  { value: '3', label: '3' },
  { value: '2', label: '2' },
  { value: '1', label: '1 (worst)' },
] as const
