import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { ApiFailure } from '../../../api/api-failure.ts'
import { Form } from '../../../parts/Form.tsx'
import { useSubmission } from '../../../parts/use-submission.ts'
import { setFlowValue } from '../document/edits.ts'
import type { Origin } from '../origin.ts'
import { useEditing } from '../use-flow-editor.ts'
import { Dialog } from './Dialog.tsx'
import { idFromLabel } from './flow-id.ts'
import { RefusedPlaces } from './RefusedPlaces.tsx'
import { type Saving, saveFlow } from './save-flow.ts'

interface SaveDialogProps {
  readonly origin: Origin
  readonly idTaken: boolean
  readonly onDone: (saving: Saving) => Promise<void>
  readonly onClose: () => void
}

/** Asks what a new flow is called, and what changed. */
export function SaveDialog({ origin, idTaken, onDone, onClose }: SaveDialogProps) {
  const { editor } = useEditing()
  const { flow, revision: base } = origin
  const [note, setNote] = useState('')
  const [isGone, setGone] = useState(false)
  const submission = useSubmission({
    fields: ['id', 'label', 'note'],
    send: (api) =>
      saveFlow(api, { flow: isGone ? null : flow, base, document: editor.read().document, note }),
    onDone: (saving) => ('gone' in saving ? setGone(true) : onDone(saving)),
  })
  const refused = submission.failure instanceof ApiFailure ? submission.failure.problems : []
  return (
    <Dialog
      title={flow === null ? 'Save flow' : isGone ? 'Recreate flow' : 'Save new version'}
      onClose={onClose}
      holdsInput
    >
      <Form
        submission={submission}
        submitLabel="Save"
        failureSentence="The flow was not saved. Your changes are still here."
        onCancel={onClose}
      >
        {isGone ? <p role="alert">This flow was deleted meanwhile. Saving creates it again.</p> : null}
        {flow === null ? <NameFields idTaken={idTaken} problemOf={submission.problemOf} /> : null}
        <TextInput
          label="Change note"
          description="Optional. Shown in the list of versions."
          maxLength={1000}
          {...(flow === null ? {} : { 'data-autofocus': true })}
          value={note}
          error={submission.problemOf('note')}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
        <RefusedPlaces
          problems={refused}
          onOpen={(path) => {
            onClose()
            editor.ask(path)
          }}
        />
      </Form>
    </Dialog>
  )
}

interface NameFieldsProps {
  readonly idTaken: boolean
  readonly problemOf: (field: string) => string | undefined
}

/** Label and ID, written directly to the flow. The ID follows the label until the user edits it. */
function NameFields({ idTaken, problemOf }: NameFieldsProps) {
  const { editor, state } = useEditing()
  const { id, label } = state.document.definition
  const [follows, setFollows] = useState(id === '' || id === idFromLabel(label))
  return (
    <>
      <TextInput
        label="Label"
        description="Display name."
        data-autofocus
        maxLength={200}
        value={label}
        error={problemOf('label')}
        onChange={({ currentTarget: { value } }) =>
          editor.change({ what: 'the label of the flow', group: 'flow label' }, (document) => {
            const labelled = setFlowValue(document, ['label'], value)
            return follows ? setFlowValue(labelled, ['id'], idFromLabel(value)) : labelled
          })
        }
      />
      <TextInput
        label="ID"
        description="Permanent ID in URLs and the API: lower-case letters, digits, hyphens and underscores."
        maxLength={64}
        value={id}
        error={idTaken ? 'Already used by another flow.' : problemOf('id')}
        onChange={({ currentTarget: { value } }) => {
          setFollows(false)
          editor.change({ what: 'the id of the flow', group: 'flow id' }, (document) =>
            setFlowValue(document, ['id'], value),
          )
        }}
      />
    </>
  )
}
