import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { describeDollars } from '../../../parts/describe-amount.ts'
import { Status } from '../../../parts/Status.tsx'
import { describeDuration } from '../../../time/describe-time.ts'
import { stateWords, stepWords } from '../../executions/execution-words.ts'
import { useEditing } from '../use-flow-editor.ts'
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
    <section className={styles['run']} aria-label="Test run results">
      <div className={styles['head']}>
        <Status {...stateWords[tried.status]} />
        <span>{inDollars(tried.cost)}</span>
        {tried.durationMs === null ? null : <span>{describeDuration(tried.durationMs / 1000)}</span>}
        <Link to="/executions/$execution" params={{ execution }}>
          Open execution
        </Link>
      </div>
      {tried.isOfOlderDraft ? (
        <p className={styles['older']} role="note">
          These results are outdated: the flow was changed since.
        </p>
      ) : null}
      {error === null || isToldByStep ? null : <Trouble error={error} />}
      <ol className={styles['steps']} aria-label="Executed steps">
        {[...steps].map(([id, step]) => (
          <Step key={id} id={id} step={step} onLeave={onLeave} />
        ))}
      </ol>
      {tried.isUnderWay ? null : (
        <Button size="compact-xs" variant="default" className={styles['clear'] ?? ''} onClick={onClear}>
          Clear results
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
        <pre className={styles['output']} tabIndex={0} role="region" aria-label={`Output of ${step.label}`}>
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
          Open step
        </Button>
      )}
    </div>
  )
}

function inDollars(dollars: number): string {
  return describeDollars(Math.round(dollars * 1e6))
}

const advice: Readonly<Record<string, string>> = {
  VALIDATION_FAILED: 'The output failed the checks of the step. Make the prompt clearer or relax the checks.',
  INSUFFICIENT_CREDITS: 'Raise the budget of the flow or the account, or choose a cheaper model.',
  PROVIDER_UNAVAILABLE: 'Choose another model for the step, or check which providers are online.',
  EXTERNAL_API_FAILED: 'Check the URL, the method and the headers, and that the service responds.',
  EXTERNAL_API_REFUSED:
    'This server does not call that URL. Choose another one, or ask an administrator to allow it.',
  INVALID_STEP: 'Check the input of the step: a value is missing or has the wrong type.',
  STEP_DEPENDENCY_FAILED: 'Fix the step it depends on first.',
  MEMORY_LIMIT_EXCEEDED: 'Store less in memory, or use a smaller input.',
  AGENT_DECISION_ERROR: 'State the decision more clearly in the routing prompt.',
  EXECUTION_TIMEOUT: 'Raise the timeout of the step or the flow, or use a smaller input.',
}

/** The advice for an execution error; null where the message is enough. */
function adviceFor(code: string): string | null {
  return advice[code] ?? null
}
