import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { ConnectionFields, connectionFields } from './ConnectionFields.tsx'
import type { EntryPart } from './connection-calls.ts'
import { bodyOfDraft, emptyDraft } from './connection-draft.ts'

interface AddConnectionProps {
  readonly part: EntryPart
  readonly onClose: () => void
  readonly onAdded: (name: string) => Promise<void>
}

/** The form of a new secret or connection. */
export default function AddConnection({ part, onClose, onAdded }: AddConnectionProps) {
  const [draft, setDraft] = useState(() => emptyDraft(part === 'secret' ? 'secret' : 'bearer'))
  const submission = useSubmission({
    fields: connectionFields,
    async send({ client }) {
      const { kind } = draft
      const name = draft.name.trim()
      // A missing value is sent as it is: the server names the field.
      const body = { name, kind, ...bodyOfDraft(draft) }
      if (kind !== 'secret')
        return await bodyOf(client.POST('/ai-workflows/api/connections', { body: body as never }))
      const { kind: _kind, ...secret } = body
      return await bodyOf(client.POST('/ai-workflows/api/secrets', { body: secret as never }))
    },
    onDone: ({ name }) => onAdded(name),
  })
  return (
    <SideDrawer title={`Add ${part}`} onClose={onClose} holdsInput>
      <Form
        submission={submission}
        submitLabel={`Add ${part}`}
        failureSentence={`The ${part} was not added.`}
        onCancel={onClose}
      >
        <ConnectionFields isNew draft={draft} onChange={setDraft} problemOf={submission.problemOf} />
      </Form>
    </SideDrawer>
  )
}
