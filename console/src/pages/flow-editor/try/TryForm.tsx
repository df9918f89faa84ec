import '../../../theme/mantine-form.css'
import { Button, Textarea } from '@mantine/core'
import { type Api, bodyOf } from '../../../api/api.ts'
import { ApiFailure } from '../../../api/api-failure.ts'
import { CopyAsCurl } from '../../../parts/CopyAsCurl.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { useSubmission } from '../../../parts/use-submission.ts'
import { type DraftDefinition, namedForNow } from '../document/flow-document.ts'
import { describeEstimate, describeSources } from '../problems/describe-estimate.ts'
import type { Validation } from '../problems/use-validation.ts'
import { RefusedPlaces } from '../save/RefusedPlaces.tsx'
import { useEditing } from '../use-flow-editor.ts'
import { missingIn, withNeeded } from './needed-input.ts'
import { StopTry } from './StopTry.tsx'
import styles from './TryForm.module.css'
import type { Trying } from './use-try-run.ts'

interface TryFormProps {
  readonly validation: Validation
  readonly tryRun: Trying
}

/** What the draft is tried with, what that will take, and the way to run it. */
export function TryForm({ validation: { estimate, requiredInputs }, tryRun }: TryFormProps) {
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
      announce('It runs.')
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
        description="What the flow works on, as JSON. This browser keeps it for the next time."
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
          The flow also needs {missing.join(', ')}.{' '}
          <Button
            size="compact-xs"
            variant="default"
            onClick={() =>
              input.change(JSON.stringify(withNeeded(input.value ?? {}, requiredInputs), null, 2))
            }
          >
            Insert what the flow needs
          </Button>
        </p>
      )}
      <p className={styles['estimate']} {...(estimate === null ? {} : { title: describeSources(estimate) })}>
        {estimate === null ? 'Cost and time are not known yet.' : `Estimate: ${describeEstimate(estimate)}.`}{' '}
        It is paid like any other run, but counts in no statistics.
      </p>
      {failure === null ? null : (
        <FailureNotice what="Nothing was started." error={failure} onRetry={submit} />
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
      // A draft may be anything; the platform judges it.
      body: { flow_definition: namedForNow(definition) as never, context },
    }),
  )
}
