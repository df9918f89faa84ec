import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Skeleton } from '../../parts/Skeleton.tsx'
import styles from './AnswerFacts.module.css'
import { listFacts } from './answer-facts.ts'
import type { Turn } from './conversation.ts'
import { useRecordedCall } from './use-recorded-call.ts'

interface AnswerFactsProps {
  readonly turn: Turn
  readonly onAskAgain: (() => void) | undefined
}

/** What an answer took, and where to go from it. */
export function AnswerFacts({ turn, onAskAgain }: AnswerFactsProps) {
  const call = useRecordedCall(turn.answer)
  const facts = listFacts(turn, call)
  if (facts.length === 0 && onAskAgain === undefined) return null
  return (
    <div className={styles['foot']}>
      {facts.length === 0 ? null : (
        <dl className={styles['facts']}>
          {facts.map(({ name, value, title }) => (
            <div key={name} title={title}>
              <dt>{name}</dt>
              <dd>{value ?? <Skeleton width={48} />}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className={styles['ways']}>
        {onAskAgain === undefined ? null : (
          <Button size="compact-sm" variant="default" onClick={onAskAgain}>
            Ask again
          </Button>
        )}
        {call ? (
          <Link to="/usage" search={{ call: call.id }}>
            Open the call
          </Link>
        ) : null}
      </div>
    </div>
  )
}
