import { Button } from '@mantine/core'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { DangerButton } from '../../parts/DangerButton.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import type { NewWebhookSecret } from './NewWebhook.tsx'
import { pathOf, type Webhook } from './webhook-calls.ts'
import type { WebhookApi } from './webhook-search.ts'

interface WebhookAccessProps {
  readonly kind: WebhookApi
  readonly webhook: Webhook
  /** Told when a question stands in front of the drawer, and when it goes. */
  readonly onCovered: (covered: boolean) => void
  readonly onSecret: (made: NewWebhookSecret) => void
  readonly onDeleted: () => Promise<void>
}

/** A new secret, and the end of the webhook. */
export function WebhookAccess({ kind, webhook, onCovered, onSecret, onDeleted }: WebhookAccessProps) {
  const [asking, setAsking] = useState<'secret' | 'delete'>()
  const ask = (question: 'secret' | 'delete' | undefined) => {
    setAsking(question)
    onCovered(question !== undefined)
  }
  const params = { path: { id: webhook.webhook_id } }
  return (
    <DrawerSection
      title="Secret"
      about="Signs the deliveries. Replace it when it may have leaked."
      ways={
        <>
          <Button size="sm" variant="default" onClick={() => ask('secret')}>
            Replace secret…
          </Button>
          <DangerButton kind="ask" onClick={() => ask('delete')}>
            Delete…
          </DangerButton>
        </>
      }
    >
      {asking === 'secret' ? (
        <ConfirmDialog
          title="Replace the secret?"
          confirmLabel="Replace secret"
          failureSentence="The secret was not replaced."
          send={({ client }) =>
            bodyOf(client.POST(pathOf(kind, '/{id}/rotate-secret'), { params, body: {} }))
          }
          onDone={({ secret }) => {
            onSecret({ url: webhook.webhook_url, secret, verificationUrl: null })
          }}
          onClose={() => ask(undefined)}
        >
          <p>
            For 24 hours, deliveries are signed with both the old and the new secret, so that the receiver can
            switch.
          </p>
        </ConfirmDialog>
      ) : null}
      {asking === 'delete' ? (
        <ConfirmDialog
          title="Delete this webhook?"
          confirmLabel="Delete webhook"
          failureSentence="The webhook was not deleted."
          send={({ client }) => bodyOf(client.DELETE(pathOf(kind, '/{id}'), { params }))}
          onDone={onDeleted}
          onClose={() => ask(undefined)}
        >
          <p>
            Pending deliveries to {webhook.webhook_url} are dropped, and the delivery log is deleted. This
            cannot be undone.
          </p>
        </ConfirmDialog>
      ) : null}
    </DrawerSection>
  )
}
