import { Button } from '@mantine/core'
import IconAlertCircleFilled from '@tabler/icons-react/dist/esm/icons/IconAlertCircleFilled.mjs'
import { ApiFailure } from '../api/api-failure.ts'
import { Copyable } from './Copyable.tsx'
import styles from './FailureNotice.module.css'

interface FailureNoticeProps {
  /** The sentence that says what failed. */
  readonly what: string
  readonly error: unknown
  readonly onRetry: () => void
  readonly retryLabel?: string
  /** Shown when the failure itself has no request id. */
  readonly lastRequestId?: string | undefined
}

/** A failure with its cause, the next action, and the request id to quote. */
export function FailureNotice({
  what,
  error,
  onRetry,
  retryLabel = 'Retry',
  lastRequestId,
}: FailureNoticeProps) {
  const ownId = error instanceof ApiFailure ? error.requestId : undefined
  const requestId = ownId ?? lastRequestId
  return (
    <div className={styles['notice']} role="alert">
      <IconAlertCircleFilled className={styles['icon']} size={18} aria-hidden />
      <div className={styles['text']}>
        <h2>{what}</h2>
        <p>{error instanceof Error ? error.message : String(error)}</p>
        <p className={styles['next']}>{whatNext(error)}</p>
        <div className={styles['foot']}>
          <Button size="compact-sm" variant="default" onClick={onRetry}>
            {retryLabel}
          </Button>
          {requestId === undefined ? null : (
            <span className={styles['request']}>
              {ownId === undefined ? 'Last request' : 'Request'}{' '}
              <Copyable text={requestId} what="request ID" />
            </span>
          )}
        </div>
      </div>
    </div>
  )
}

function whatNext(error: unknown): string {
  if (!(error instanceof ApiFailure))
    return 'Reload the page. If it happens again, report it with the last request ID.'
  if (error.status === 403) return 'Ask an administrator for the required permission.'
  if (error.status === 0) return 'Check that the server is running and reachable.'
  if (error.retryable) return 'This is usually temporary. Retry in a moment.'
  return 'Retry. If it keeps failing, search the server log for the request ID.'
}
