import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Pager } from '../../../parts/Pager.tsx'
import { Status } from '../../../parts/Status.tsx'
import { describeDuration } from '../../../time/describe-time.ts'
import { stepQuery, type TracedStep, traceQuery } from '../../executions/execution-queries.ts'
import { stateWords, stepWords } from '../../executions/execution-words.ts'
import styles from './InnerSteps.module.css'
import { describeNested, nameOfScope } from './inner-words.ts'

interface InnerStepsProps {
  readonly execution: string
  /** The step path of the container, such as `each` or `each/0/call`. */
  readonly path: string
  readonly type: string
  readonly nested: NonNullable<TracedStep['nested']>
}

/** The steps inside a container of a test run: its scopes, and the steps of each. Everything is loaded when it is unfolded. */
export default function InnerSteps({ execution, path, type, nested }: InnerStepsProps) {
  return (
    <Fold label={describeNested(type, nested)}>
      {() => <Scopes execution={execution} path={path} type={type} />}
    </Fold>
  )
}

interface FoldProps {
  readonly label: ReactNode
  readonly children: () => ReactNode
}

/** A fold whose content exists only while it is open. */
function Fold({ label, children }: FoldProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className={styles['fold']}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{label}</summary>
      {isOpen ? children() : null}
    </details>
  )
}

function Scopes({ execution, path, type }: Omit<InnerStepsProps, 'nested'>) {
  const [page, setPage] = useState(1)
  const query = useQuery(traceQuery(useApi(), { execution, within: path, page }))
  const { data, error, refetch } = query
  if (data === undefined) {
    return error === null ? null : (
      <FailureNotice what="The steps could not be loaded." error={error} onRetry={() => void refetch()} />
    )
  }
  if (data.scopes.length === 0) return <p className={styles['soft']}>No step in it has ended yet.</p>
  return (
    <>
      <ul className={styles['list']} aria-label={`Inside of ${path}`}>
        {data.scopes.map(({ index, state, label, error: failure }) => (
          <li key={index}>
            <Fold
              label={
                <>
                  {nameOfScope(type, index)} <Status {...stateWords[state]} />{' '}
                  <span className={styles['soft']}>{failure?.message ?? label}</span>
                </>
              }
            >
              {() => <StepsOfScope execution={execution} scope={`${path}/${index}`} />}
            </Fold>
          </li>
        ))}
      </ul>
      <Pager label={`Pages inside of ${path}`} page={page} total={data.scopes_total} onPage={setPage} />
    </>
  )
}

function StepsOfScope({ execution, scope }: { execution: string; scope: string }) {
  const { data, error, refetch } = useQuery(traceQuery(useApi(), { execution, within: scope }))
  if (data === undefined) {
    return error === null ? null : (
      <FailureNotice what="The steps could not be loaded." error={error} onRetry={() => void refetch()} />
    )
  }
  return (
    <ol className={styles['list']} aria-label={`Steps of ${scope}`}>
      {data.steps.map((step) => (
        <li key={step.step_id}>
          <InnerStep execution={execution} step={step} />
        </li>
      ))}
    </ol>
  )
}

function InnerStep({ execution, step }: { execution: string; step: TracedStep }) {
  const { step_id: path, state, nested, error, started_at: started, finished_at: finished } = step
  const name = step.label ?? path.slice(path.lastIndexOf('/') + 1)
  return (
    <>
      <div className={styles['step']}>
        <span>{name}</span>
        <Status {...stepWords[state]} />
        {started === null || finished === null ? null : <span>{describeDuration(finished - started)}</span>}
      </div>
      {error === null ? null : (
        <p className={styles['error']}>
          <strong>{error.code}</strong> {error.message}
        </p>
      )}
      {nested === null ? null : (
        <InnerSteps execution={execution} path={path} type={step.step_type} nested={nested} />
      )}
      {state === 'completed' && nested === null ? (
        <Fold label={`Output of ${name}`}>{() => <Output execution={execution} path={path} />}</Fold>
      ) : null}
    </>
  )
}

/** Longer output is available on the page of the run. */
const maxCharacters = 4_000

function Output({ execution, path }: { execution: string; path: string }) {
  const { data, error, refetch } = useQuery(stepQuery(useApi(), { execution, step: path, item: 0 }))
  if (data === undefined) {
    return error === null ? null : (
      <FailureNotice what="The output could not be loaded." error={error} onRetry={() => void refetch()} />
    )
  }
  const { output } = data
  const text = typeof output === 'string' ? output : JSON.stringify(output, null, 2)
  return (
    <pre className={styles['output']} tabIndex={0} role="region" aria-label={`Output of ${path}`}>
      {text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text}
    </pre>
  )
}
