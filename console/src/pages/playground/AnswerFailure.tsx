import { Button } from '@mantine/core'
import IconAlertCircleFilled from '@tabler/icons-react/dist/esm/icons/IconAlertCircleFilled.mjs'
import { Link } from '@tanstack/react-router'
import type { ApiFailure } from '../../api/api-failure.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import styles from '../../parts/FailureNotice.module.css'
import { explainFailure } from './explain-failure.ts'

interface AnswerFailureProps {
  readonly failure: ApiFailure
  /** Some of the answer came before it failed. */
  readonly begun: boolean
  /** Absent when the conversation went on without it. */
  readonly onAskAgain: (() => void) | undefined
}

/** Why there is no answer, or no more of it, and what to do about that. */
export function AnswerFailure({ failure, begun, onAskAgain }: AnswerFailureProps) {
  return (
    <div className={styles['notice']} role="alert">
      <IconAlertCircleFilled className={styles['icon']} size={18} aria-hidden />
      <div className={styles['text']}>
        <strong>{begun ? 'The response was interrupted.' : 'The request failed.'}</strong>
        <p>{failure.message}</p>
        <p className={styles['next']}>
          {onAskAgain === undefined && !begun
            ? 'This message is not part of the conversation.'
            : explainFailure(failure)}
        </p>
        <div className={styles['foot']}>
          {onAskAgain === undefined ? null : (
            <Button size="compact-sm" variant="default" onClick={onAskAgain}>
              Retry
            </Button>
          )}
          {failure.code === 'insufficient_quota' ? <Link to="/usage">View usage</Link> : null}
          {failure.requestId === undefined ? null : (
            <span className={styles['request']}>
              Request <Copyable text={failure.requestId} what="request ID" />
            </span>
          )}
        </div>
      </div>
    </div>
  )
}
