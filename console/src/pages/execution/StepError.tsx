import { DetailList } from '../../parts/DetailList.tsx'
import { ValueView } from '../../parts/ValueView.tsx'
import type { StepDetail, TracedStep } from '../executions/execution-queries.ts'
import { adviceFor } from '../executions/failure-advice.ts'
import { readResponse } from './failed-response.ts'
import styles from './StepError.module.css'

interface StepErrorProps {
  readonly error: NonNullable<TracedStep['error']>
  /** The filled-in input of the step; null when it is not known. */
  readonly asked: StepDetail['asked']
}

/** Why a step failed: message, advice, and for an HTTP request the whole response. */
export function StepError({ error, asked }: StepErrorProps) {
  const { response, others } = readResponse(error.details)
  const advice = adviceFor(error.code)
  const request = [asked?.['method'], asked?.['url']].filter((part) => typeof part === 'string').join(' ')
  return (
    <section className={styles['error']} aria-label="Error">
      <h3>{error.message}</h3>
      {advice === null ? null : <p>{advice}</p>}
      <DetailList
        details={[
          { name: 'Code', value: <code>{error.code}</code> },
          ...(error.provider === undefined ? [] : [{ name: 'Provider', value: error.provider }]),
          ...(request === '' ? [] : [{ name: 'Request', value: <code>{request}</code> }]),
          ...(response.status === undefined ? [] : [{ name: 'Status', value: response.status }]),
        ]}
      />
      {response.body === undefined ? null : (
        <section aria-label="Response body">
          <ValueView
            title={<h4>Response body</h4>}
            value={response.body === '' ? '(empty)' : response.body}
            what="response body"
            fileName="response"
            prefers="text"
          />
        </section>
      )}
      {response.headers.length === 0 ? null : (
        <details className={styles['headers']}>
          <summary>Response headers ({response.headers.length})</summary>
          <DetailList details={response.headers.map(([name, value]) => ({ name, value }))} />
        </details>
      )}
      {Object.keys(others).length === 0 ? null : (
        <section aria-label="Error details">
          <ValueView title={<h4>Details</h4>} value={others} what="error details" fileName="error" />
        </section>
      )}
    </section>
  )
}
