import { Button, CloseButton, Textarea } from '@mantine/core'
import '../../../theme/mantine-floating.css'
import { type KeyboardEvent, Suspense, useEffect, useId, useRef } from 'react'
import { useReturnFocus } from '../../../parts/use-return-focus.ts'
import type { Validation } from '../problems/use-validation.ts'
import styles from './TryPanel.module.css'
import type { Trying } from './use-try-run.ts'
import '../../../theme/mantine-form.css'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Api, bodyOf } from '../../../api/api.ts'
import { useApi } from '../../../api/api-context.ts'
import { ApiFailure } from '../../../api/api-failure.ts'
import { CopyAsCurl } from '../../../parts/CopyAsCurl.tsx'
import { describeDollars } from '../../../parts/describe-amount.ts'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Status } from '../../../parts/Status.tsx'
import { useSubmission } from '../../../parts/use-submission.ts'
import { useConnectionState } from '../../../shell/loading/connection.ts'
import { lazyPart } from '../../../shell/loading/lazy-part.tsx'
import { notify } from '../../../shell/notify.ts'
import { describeDuration } from '../../../time/describe-time.ts'
import { stateWords, stepWords } from '../../executions/execution-words.ts'
import { adviceFor } from '../../executions/failure-advice.ts'
import { type DraftDefinition, namedForNow, stepIn } from '../document/flow-document.ts'
import { describeEstimate, describeSources } from '../problems/describe-estimate.ts'
import { RefusedPlaces } from '../save/RefusedPlaces.tsx'
import { useEditing } from '../use-flow-editor.ts'
import { missingIn, type TriedStep, type TryError, type TryRun, withNeeded } from './try-run.ts'

const InnerSteps = lazyPart(() => import('./InnerSteps.tsx'))

interface TryPanelProps {
  readonly validation: Validation
  readonly tryRun: Trying
}

/** The test run panel: it runs the draft while the flow shows the output of each step. */
export function TryPanel({ validation, tryRun }: TryPanelProps) {
  const id = useId()
  const panel = useRef<HTMLElement>(null)
  useReturnFocus()
  useEffect(() => panel.current?.querySelector<HTMLElement>('[data-try]')?.focus(), [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.stopPropagation()
    tryRun.close()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape leaves it from everywhere inside.
    <section ref={panel} className={styles['panel']} aria-labelledby={id} onKeyDown={onKeyDown}>
      <div className={styles['head']}>
        <h2 id={id}>Test run</h2>
        <CloseButton size={28} aria-label="Close" onClick={tryRun.close} />
      </div>
      <div className={styles['body']}>
        <TryForm validation={validation} tryRun={tryRun} />
        {tryRun.tried === null ? null : (
          <TriedRun tried={tryRun.tried} onClear={tryRun.clear} onLeave={tryRun.close} />
        )}
      </div>
    </section>
  )
}

interface TryFormProps {
  readonly validation: Validation
  readonly tryRun: Trying
}

/** The sample input, the estimate and the Run button. */
function TryForm({ validation: { estimate, requiredInputs }, tryRun }: TryFormProps) {
  const { editor, announce } = useEditing()
  const { input, tried, began } = tryRun
  const { form, isPending, failure, submit, send, onSubmit, problemOf } = useSubmission({
    fields: ['context'],
    send: async (api) => {
      if (input.value === null) throw new Error(input.problem)
      const { definition } = editor.read().document
      const { execution_id: execution } = await tryFlow(api, definition, input.value)
      return { execution, definition }
    },
    onDone({ execution, definition }) {
      began(execution, definition)
      announce('Running.')
    },
  })
  const refused = failure instanceof ApiFailure ? failure.problems : []
  const missing = input.value === null ? [] : missingIn(input.value, requiredInputs)
  const { isAway } = useConnectionState()
  const isBusy = isPending || tried?.isUnderWay === true || isAway
  return (
    <form
      ref={form}
      className={styles['form']}
      noValidate
      aria-busy={isPending}
      onSubmit={(event) => (isBusy ? event.preventDefault() : onSubmit(event))}
    >
      <Textarea
        classNames={{ input: styles['input'] ?? '' }}
        label="Sample input"
        description="Input of the workflow as JSON. This browser remembers it."
        autosize
        minRows={5}
        maxRows={14}
        spellCheck={false}
        value={input.text}
        error={input.problem ?? problemOf('context')}
        onChange={({ currentTarget }) => input.change(currentTarget.value)}
      />
      {missing.length === 0 ? null : (
        <p className={styles['missing']}>
          The workflow also requires {missing.join(', ')}.{' '}
          <Button
            size="compact-xs"
            variant="default"
            onClick={() =>
              input.change(JSON.stringify(withNeeded(input.value ?? {}, requiredInputs), null, 2))
            }
          >
            Insert required inputs
          </Button>
        </p>
      )}
      <p className={styles['estimate']} {...(estimate === null ? {} : { title: describeSources(estimate) })}>
        {estimate === null ? 'Cost and time are unknown.' : `Estimate: ${describeEstimate(estimate)}.`} Test
        runs are charged, but not counted in statistics.
      </p>
      {failure === null ? null : (
        <FailureNotice what="The test run was not started." error={failure} onRetry={submit} />
      )}
      <RefusedPlaces
        problems={refused}
        onOpen={(path) => {
          // The panel covers the form.
          tryRun.close()
          editor.ask(path)
        }}
      />
      <p className={styles['away']} role="status">
        {isAway
          ? tried?.isUnderWay === true
            ? 'Tutti does not respond. The test run continues on the server; its result appears here when Tutti is back.'
            : 'Tutti does not respond. The draft can be run when it is back.'
          : null}
      </p>
      <div className={styles['foot']}>
        <Button type="submit" size="sm" data-try aria-disabled={isBusy}>
          {tried === null ? 'Run' : 'Run again'}
        </Button>
        <StopTry execution={tried?.isUnderWay === true && !isAway ? tried.execution : undefined} />
        <CopyAsCurl act={send} />
      </div>
    </form>
  )
}

async function tryFlow(api: Api, definition: DraftDefinition, context: Record<string, unknown>) {
  return await bodyOf(
    api.client.POST('/ai-workflows/api/flows/try', {
      // A draft may be any JSON; the server validates it.
      body: { flow_definition: namedForNow(definition) as never, context },
    }),
  )
}

interface StopTryProps {
  /** Undefined when no test run is running. */
  readonly execution: string | undefined
}

/** Stops a test run. Always rendered, so that the focus is not lost with it. */
function StopTry({ execution }: StopTryProps) {
  const api = useApi()
  const cache = useQueryClient()
  const { announce } = useEditing()
  const { mutate, isPending } = useMutation({
    mutationFn: (execution_id: string) =>
      bodyOf(
        api.client.POST('/ai-workflows/api/executions/{execution_id}/cancel', {
          params: { path: { execution_id } },
          body: { reason: 'Stopped in the editor.' },
        }),
      ),
    onSuccess: () => announce('Stopped.'),
    onError: (error) => notify({ title: 'The test run was not stopped', error }),
    onSettled: () => cache.invalidateQueries({ queryKey: ['executions'] }),
  })
  return (
    <Button
      size="sm"
      variant="default"
      aria-disabled={isPending || execution === undefined}
      title={execution === undefined ? 'Nothing to stop' : 'Stop the test run'}
      onClick={() => {
        if (!isPending && execution !== undefined) mutate(execution)
      }}
    >
      Stop
    </Button>
  )
}

interface TriedRunProps {
  readonly tried: TryRun
  readonly onClear: () => void
  /** Closes the panel, which covers the form of a step. */
  readonly onLeave: () => void
}

/** The progress and result of a test run, step by step. */
function TriedRun({ tried, onClear, onLeave }: TriedRunProps) {
  const { execution, steps, error } = tried
  const isToldByStep = [...steps.values()].some((step) => step.error !== null)
  return (
    <section className={styles['run']} aria-label="Test run results">
      <div className={styles['runHead']}>
        <Status {...stateWords[tried.status]} />
        <span>{inDollars(tried.cost)}</span>
        {tried.durationMs === null ? null : <span>{describeDuration(tried.durationMs / 1000)}</span>}
        <Link to="/executions/$execution" params={{ execution }}>
          Open execution
        </Link>
      </div>
      {tried.isOfOlderDraft ? (
        <p className={styles['older']} role="note">
          These results are outdated: the workflow was changed since.
        </p>
      ) : null}
      {error === null || isToldByStep ? null : <Trouble error={error} />}
      <ol className={styles['steps']} aria-label="Executed steps">
        {[...steps].map(([id, step]) => (
          <Step key={id} id={id} execution={execution} step={step} onLeave={onLeave} />
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

interface StepProps {
  readonly id: string
  readonly execution: string
  readonly step: TriedStep
  readonly onLeave: () => void
}

function Step({ id, execution, step, onLeave }: StepProps) {
  const { editor, state } = useEditing()
  const { output, error, cost, durationMs, skippedBecause, inside } = step
  const isThere = stepIn(state.document, id) !== undefined
  const openForm = () => {
    onLeave()
    editor.askStep(id)
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
      {inside === null ? null : (
        <Suspense>
          <InnerSteps execution={execution} path={id} {...inside} />
        </Suspense>
      )}
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
