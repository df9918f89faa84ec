import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { describeDollars } from '../../../parts/describe-amount.ts'
import { Status } from '../../../parts/Status.tsx'
import { describeDuration } from '../../../time/describe-time.ts'
import { stateWords, stepWords } from '../../executions/execution-words.ts'
import { useEditing } from '../use-flow-editor.ts'
import { adviceFor } from './advice.ts'
import styles from './TriedRun.module.css'
import type { TriedStep, TryError, TryRun } from './try-run.ts'

interface TriedRunProps {
  readonly tried: TryRun
  readonly onClear: () => void
  /** Makes way for the form of a step. */
  readonly onLeave: () => void
}

/** How a try went, or goes: step by step, with what each made. */
export function TriedRun({ tried, onClear, onLeave }: TriedRunProps) {
  const { execution, steps, error } = tried
  const isToldByStep = [...steps.values()].some((step) => step.error !== null)
  return (
    <section className={styles['run']} aria-label="How it went">
      <div className={styles['head']}>
        <Status {...stateWords[tried.status]} />
        <span>{inDollars(tried.cost)}</span>
        {tried.durationMs === null ? null : <span>{describeDuration(tried.durationMs / 1000)}</span>}
        <Link to="/executions/$execution" params={{ execution }}>
          Open the whole run
        </Link>
      </div>
      {tried.isOfOlderDraft ? (
        <p className={styles['older']} role="note">
          This is of an older draft: the flow was changed since.
        </p>
      ) : null}
      {error === null || isToldByStep ? null : <Trouble error={error} />}
      <ol className={styles['steps']} aria-label="Steps that were tried">
        {[...steps].map(([id, step]) => (
          <Step key={id} id={id} step={step} onLeave={onLeave} />
        ))}
      </ol>
      {tried.isUnderWay ? null : (
        <Button size="compact-xs" variant="default" className={styles['clear'] ?? ''} onClick={onClear}>
          Clear the results
        </Button>
      )}
    </section>
  )
}

function Step({ id, step, onLeave }: { id: string; step: TriedStep; onLeave: () => void }) {
  const { editor, state } = useEditing()
  const { output, error, cost, durationMs, skippedBecause } = step
  const index = state.document.definition.steps.findIndex((it) => it.id === id)
  const isThere = index >= 0
  const openForm = () => {
    onLeave()
    editor.ask(`steps[${index}].label`)
  }
  return (
    <li>
      <div className={styles['step']}>
        {isThere ? (
          <button type="button" className={styles['name']} onClick={() => editor.select([id])}>
            {step.label}
          </button>
        ) : (
          <span>{step.label}</span>
        )}
        <Status {...stepWords[step.state]} />
        <span className={styles['amounts']}>
          {durationMs === null ? null : <span>{describeDuration(durationMs / 1000)}</span>}
          {cost === null ? null : <span>{inDollars(cost)}</span>}
        </span>
      </div>
      {skippedBecause === null ? null : <p className={styles['soft']}>{skippedBecause}</p>}
      {error === null ? null : <Trouble error={error} onOpen={isThere ? openForm : undefined} />}
      {output === null ? null : (
        <pre className={styles['output']} tabIndex={0} role="region" aria-label={`What ${step.label} made`}>
          {output}
        </pre>
      )}
    </li>
  )
}

interface TroubleProps {
  readonly error: TryError
  readonly onOpen?: (() => void) | undefined
}

function Trouble({ error: { code, message }, onOpen }: TroubleProps) {
  const advice = adviceFor(code)
  return (
    <div className={styles['error']} role="note">
      <p>
        <strong>{code}</strong> {message}
      </p>
      {advice === null ? null : <p className={styles['soft']}>{advice}</p>}
      {onOpen === undefined ? null : (
        <Button size="compact-xs" variant="default" onClick={onOpen}>
          Open the step
        </Button>
      )}
    </div>
  )
}

function inDollars(dollars: number): string {
  return describeDollars(Math.round(dollars * 1e6))
}
