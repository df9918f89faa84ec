import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { Form } from '../../parts/Form.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import { fieldsOf, WebhookFields } from './WebhookFields.tsx'
import { pathOf, type Webhook } from './webhook-calls.ts'
import { bodyOfDraft, draftOf } from './webhook-draft.ts'
import type { WebhookApi } from './webhook-search.ts'

interface EditWebhookProps {
  readonly kind: WebhookApi
  readonly webhook: Webhook
  readonly onChanged: () => Promise<void>
}

/** What it hears of, and where. Another address has to be verified anew. */
export function EditWebhook({ kind, webhook, onChanged }: EditWebhookProps) {
  const [draft, setDraft] = useState(() => draftOf(webhook))
  const submission = useSubmission({
    fields: fieldsOf(kind),
    send: ({ client }) =>
      bodyOf(
        client.PUT(pathOf(kind, '/{id}'), {
          params: { path: { id: webhook.webhook_id } },
          body: bodyOfDraft(kind, draft, webhook) as never,
        }),
      ),
    async onDone({ status }) {
      await onChanged()
      await notify({
        title: 'The webhook is saved',
        message:
          status === 'pending_verification'
            ? 'Its new address has to be verified first.'
            : 'The change holds from now on.',
      })
    },
  })
  return (
    <DrawerSection title="Settings">
      <Form submission={submission} submitLabel="Save" failureSentence="Nothing was changed.">
        <WebhookFields kind={kind} draft={draft} onChange={setDraft} problemOf={submission.problemOf} />
      </Form>
    </DrawerSection>
  )
}
