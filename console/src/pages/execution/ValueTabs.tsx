import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useApi } from '../../api/api-context.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Section, Surface } from '../../parts/Section.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { ValueView } from '../../parts/ValueView.tsx'
import { inputQuery, resultQuery, type Trace } from '../executions/execution-queries.ts'
import { isUnderWay } from '../executions/execution-words.ts'
import styles from './ValueTabs.module.css'

/** The result of a finished execution; in a batch, of the chosen item. */
export function ResultTab({ trace }: { trace: Trace }) {
  const { execution_id: execution, item, items, status } = trace
  const isOver = !isUnderWay(status)
  const { data, error, refetch } = useQuery({ ...resultQuery(useApi(), execution), enabled: isOver })
  if (!isOver) return <Inside>The result appears when the run completes.</Inside>
  if (data === undefined)
    return error === null ? (
      <Inside isLoading>
        <Skeleton width={280} />
      </Inside>
    ) : (
      <FailureNotice what="The result could not be loaded." error={error} onRetry={() => void refetch()} />
    )
  // The response of an execution that was started again has no result.
  const results: unknown = 'result' in data ? data.result : null
  const result: unknown = items === 0 || !Array.isArray(results) ? results : results[item]
  if (result === null || result === undefined)
    return (
      <Inside>
        {status === 'completed' ? 'The last step has no output.' : 'The run ended without a result.'}
      </Inside>
    )
  return (
    <Surface>
      <div className={styles['inside']}>
        <ValueView
          key={item}
          prefers="fields"
          value={result}
          what="result"
          fileName={`${trace.flow_id}-result`}
        />
      </div>
    </Surface>
  )
}

/** The input that the execution was started with. */
export function InputTab({ trace }: { trace: Trace }) {
  const { execution_id: execution, item } = trace
  const { data, error, refetch } = useQuery(inputQuery(useApi(), execution))
  if (data === undefined)
    return error === null ? (
      <Inside isLoading>
        <Skeleton width={280} />
      </Inside>
    ) : (
      <FailureNotice what="The input could not be loaded." error={error} onRetry={() => void refetch()} />
    )
  const parts = [
    { title: 'Input', value: data.context, isShown: true },
    { title: 'Batch item', value: data.content_batch?.[item], isShown: data.content_batch !== null },
    { title: 'Memory at the start', value: data.memory, isShown: Object.keys(data.memory).length > 0 },
    { title: 'Options', value: data.options, isShown: Object.keys(data.options).length > 0 },
  ]
  return parts
    .filter(({ isShown }) => isShown)
    .map(({ title, value }) => (
      <Section key={title} title={title}>
        <div className={styles['inside']}>
          <ValueView value={value} what={title.toLowerCase()} fileName={`${trace.flow_id}-input`} />
        </div>
      </Section>
    ))
}

function Inside({ children, isLoading = false }: { children: ReactNode; isLoading?: boolean }) {
  return (
    <Surface>
      <p className={styles['inside']} aria-busy={isLoading}>
        {children}
      </p>
    </Surface>
  )
}
