import { Radio, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { Form } from '../../parts/Form.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import type { AgentRating, WholeAgent } from '../agents/agent-bodies.ts'
import styles from './Agent.module.css'
import { ratingWords } from './rating-words.ts'

interface RateAgentProps {
  readonly agent: WholeAgent
  readonly mine: AgentRating['mine']
}

/** Says what you think of an agent. Who said it is told to nobody. */
export function RateAgent({ agent, mine }: RateAgentProps) {
  const cache = useQueryClient()
  const [rating, setRating] = useState(mine === null ? '' : String(mine.rating))
  const [comment, setComment] = useState(mine?.comment ?? '')
  const submission = useSubmission({
    fields: ['rating', 'comment'],
    send: async ({ client }) => {
      if (rating === '') throw new Error('Choose from 1 to 5 first.')
      return await bodyOf(
        client.POST('/ai-orchestra/api/agents/{id}/rating', {
          params: { path: { id: agent.id } },
          body: { rating: Number(rating), ...(comment.trim() === '' ? {} : { comment: comment.trim() }) },
        }),
      )
    },
    async onDone() {
      await cache.invalidateQueries({ queryKey: ['agents'] })
      await notify({ title: `You gave “${agent.label}” ${rating} of 5` })
    },
  })
  return (
    <Form submission={submission} submitLabel="Rate" failureSentence="Your rating is as it was.">
      <Radio.Group
        label="How good is its work?"
        value={rating}
        onChange={setRating}
        error={submission.problemOf('rating')}
      >
        <div className={styles['ratings']}>
          {ratingWords.map(({ value, label }) => (
            <Radio key={value} size="xs" value={value} label={label} />
          ))}
        </div>
      </Radio.Group>
      <Textarea
        label="Why? (optional)"
        description="Others read it; your name is not told."
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
