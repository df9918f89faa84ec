import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { Form } from '../../parts/Form.tsx'
import { OneTimeSecret } from '../../parts/OneTimeSecret.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { fieldsOf, WebhookFields } from './WebhookFields.tsx'
import { pathOf } from './webhook-calls.ts'
import { bodyOfDraft, emptyDraft } from './webhook-draft.ts'
import type { WebhookApi } from './webhook-search.ts'

/** A new webhook. Its secret cannot be read again later. */
export interface NewWebhookSecret {
  readonly url: string
  readonly secret: string
  /** Null once the webhook is verified. */
  readonly verificationUrl: string | null
}

export default function NewWebhook({ made, onDone }: { made: NewWebhookSecret; onDone: () => void }) {
  const { url, secret, verificationUrl } = made
  return (
    <OneTimeSecret
      title={`Secret for ${hostOf(url)}`}
      warning={
        verificationUrl === null
          ? 'Copy it now: it is shown only once. Receivers verify signatures with it.'
          : 'Copy both now: they are shown only once. Receivers verify signatures with the secret; opening the verification URL confirms the webhook.'
      }
      secrets={[
        { name: 'Secret', value: secret },
        ...(verificationUrl === null ? [] : [{ name: 'Verification URL', value: verificationUrl }]),
      ]}
      doneLabel="I have saved the secret"
      onDone={onDone}
    />
  )
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

interface CreateWebhookProps {
  readonly kind: WebhookApi
  readonly onClose: () => void
  readonly onCreated: (made: NewWebhookSecret) => Promise<void>
}

/** The form of a new webhook. */
export function CreateWebhook({ kind, onClose, onCreated }: CreateWebhookProps) {
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
