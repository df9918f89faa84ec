import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import type { NewWebhookSecret } from './NewWebhook.tsx'
import { fieldsOf, WebhookFields } from './WebhookFields.tsx'
import { pathOf } from './webhook-calls.ts'
import { bodyOfDraft, emptyDraft } from './webhook-draft.ts'
import type { WebhookApi } from './webhook-search.ts'

interface CreateWebhookProps {
  readonly kind: WebhookApi
  readonly onClose: () => void
  readonly onCreated: (made: NewWebhookSecret) => Promise<void>
}

/** Asks where events are to be sent, and which. */
export default function CreateWebhook({ kind, onClose, onCreated }: CreateWebhookProps) {
  const [draft, setDraft] = useState(emptyDraft)
  const submission = useSubmission({
    fields: fieldsOf(kind),
    send: ({ client }) => bodyOf(client.POST(pathOf(kind), { body: bodyOfDraft(kind, draft) as never })),
    onDone: async ({ webhook_url, secret, status, verification }) =>
      await onCreated({
        url: webhook_url,
        secret,
        verificationUrl: status === 'active' ? null : verification.verification_url,
      }),
  })
  return (
    <SideDrawer title="Add webhook" onClose={onClose} holdsInput>
      <Form
        submission={submission}
        submitLabel="Add webhook"
        failureSentence="The webhook was not added."
        onCancel={onClose}
      >
        <WebhookFields isNew kind={kind} draft={draft} onChange={setDraft} problemOf={submission.problemOf} />
      </Form>
    </SideDrawer>
  )
}
