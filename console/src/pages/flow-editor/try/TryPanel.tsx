import { Button, CloseButton, Textarea } from '@mantine/core'
import '../../../theme/mantine-floating.css'
import { type KeyboardEvent, useEffect, useId, useRef } from 'react'
import { useReturnFocus } from '../../../parts/use-return-focus.ts'
import type { Validation } from '../problems/use-validation.ts'
import { TriedRun } from './TriedRun.tsx'
import styles from './TryPanel.module.css'
import type { Trying } from './use-try-run.ts'
import '../../../theme/mantine-form.css'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Api, bodyOf } from '../../../api/api.ts'
import { useApi } from '../../../api/api-context.ts'
import { ApiFailure } from '../../../api/api-failure.ts'
import { CopyAsCurl } from '../../../parts/CopyAsCurl.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { useSubmission } from '../../../parts/use-submission.ts'
import { notify } from '../../../shell/notify.ts'
import { type DraftDefinition, namedForNow } from '../document/flow-document.ts'
import { describeEstimate, describeSources } from '../problems/describe-estimate.ts'
import { RefusedPlaces } from '../save/RefusedPlaces.tsx'
import { useEditing } from '../use-flow-editor.ts'
import { missingIn, withNeeded } from './needed-input.ts'

interface TryPanelProps {
  readonly validation: Validation
  readonly tryRun: Trying
}

/** Runs the draft beside the flow, which shows what each step makes. */
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
  const isBusy = isPending || tried?.isUnderWay === true
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
        description="Input of the flow as JSON. This browser remembers it."
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
          The flow also requires {missing.join(', ')}.{' '}
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
          // The panel stands in front of the form.
          tryRun.close()
          editor.ask(path)
        }}
      />
      <div className={styles['foot']}>
        <Button type="submit" size="sm" data-try aria-disabled={isBusy}>
          {tried === null ? 'Run' : 'Run again'}
        </Button>
        <StopTry execution={tried?.isUnderWay === true ? tried.execution : undefined} />
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
      title={execution === undefined ? 'Nothing is running' : 'Stop the test run'}
      onClick={() => {
        if (!isPending && execution !== undefined) mutate(execution)
      }}
    >
      Stop
    </Button>
  )
}
