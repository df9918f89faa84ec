import { Suspense } from 'react'
import { Copyable } from '../../parts/Copyable.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { describeMinute } from '../../time/describe-time.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import type { Trace } from '../executions/execution-queries.ts'
import styles from './Box.module.css'

const HumanTask = lazyPart(() => import('../human-tasks/HumanTask.tsx'))

type Wait = Trace['waits'][number]

/** More waits are listed by the timeline. */
const maxShown = 5

interface WaitBoxProps {
  readonly trace: Trace
  readonly onSelect: (step: string) => void
}

/** What an execution waits for: a time, an event, or an answer that can be given here. */
export function WaitBox({ trace, onSelect }: WaitBoxProps) {
  const { waits } = trace
  const others = waits.length - maxShown
  return (
    <section className={styles['box']} aria-label="Waiting">
      <h2>{headingOf(waits)}</h2>
      <ul className={styles['waits']}>
        {waits.slice(0, maxShown).map((wait) => (
          <li key={`${wait.step_id} ${wait.item}`}>
            <button type="button" className={styles['name']} onClick={() => onSelect(wait.step_id)}>
              {nameOf(trace, wait)}
            </button>
            {wait.human_task_id === undefined ? (
              <WaitNote wait={wait} />
            ) : (
              <Suspense>
                <HumanTask id={wait.human_task_id} />
              </Suspense>
            )}
          </li>
        ))}
      </ul>
      {others > 0 ? <p>{others === 1 ? 'One more step waits.' : `${others} more steps wait.`}</p> : null}
    </section>
  )
}

function headingOf(waits: readonly Wait[]): string {
  const [first] = waits
  if (waits.length !== 1 || first === undefined) return `${waits.length} steps wait`
  if (first.kind === 'human') return 'Waiting for an answer'
  if (first.kind === 'event') return `Waiting for the event “${first.event ?? ''}”`
  return first.until === null ? 'Waiting' : `Waiting until ${describeMinute(new Date(first.until * 1000))}`
}

function nameOf({ steps }: Trace, { step_id: id }: Wait): string {
  return steps.find((step) => step.step_id === id)?.label ?? id
}

/** One wait in a sentence. */
export function WaitNote({ wait }: { wait: Wait }) {
  const end =
    wait.until === null ? null : (
      <>
        {describeMinute(new Date(wait.until * 1000))} (
        <RelativeTime at={new Date(wait.until * 1000).toISOString()} />)
      </>
    )
  if (wait.kind === 'timer') return <p>{end === null ? 'Waiting.' : <>Waiting until {end}.</>}</p>
  return (
    <p>
      {wait.kind === 'event' ? (
        <>
          Waiting for the event <Copyable text={wait.event ?? ''} what="name of the event" /> with the key{' '}
          <Copyable text={wait.correlation_key ?? ''} what="key of the event" />
        </>
      ) : (
        'Waiting for an answer'
      )}
      {end === null ? '.' : <>, at most until {end}.</>}
    </p>
  )
}
