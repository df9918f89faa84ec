import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { ApiFailure } from '../../api/api-failure.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import { DetailBox } from '../../parts/DetailBox.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { Status } from '../../parts/Status.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import type { NewWebhookSecret } from './NewWebhook.tsx'
import { WebhookAccess } from './WebhookAccess.tsx'
import { fieldsOf, WebhookFields } from './WebhookFields.tsx'
import { WebhookSwitch } from './WebhookSwitch.tsx'
import { pathOf, type Webhook, webhookQuery } from './webhook-calls.ts'
import { bodyOfDraft, draftOf } from './webhook-draft.ts'
import type { WebhookApi } from './webhook-search.ts'
import { describeWebhook, momentOf } from './webhook-words.ts'

interface WebhookDrawerProps {
  readonly kind: WebhookApi
  readonly id: string
  readonly listed: Webhook | undefined
  readonly onChanged: () => Promise<void>
  readonly onSecret: (made: NewWebhookSecret) => void
  readonly onClose: () => void
}

/** One webhook: how it does, what it hears, its secret, and deleting it. */
export default function WebhookDrawer(props: WebhookDrawerProps) {
  const { kind, id, listed, onChanged, onSecret, onClose } = props
  // Once deleted it is no longer listed, and the drawer is about to close: nothing is asked for again.
  const [openedWith] = useState(listed)
  const isUnknown = listed === undefined && openedWith === undefined
  const { data, error, refetch } = useQuery({
    ...webhookQuery(useApi(), { kind, id }),
    enabled: isUnknown,
  })
  const [covered, setCovered] = useState(false)
  const [verification, setVerification] = useState<string | null>(null)
  const webhook = listed ?? data ?? openedWith
  return (
    <SideDrawer
      title={webhook?.webhook_url ?? 'Webhook'}
      onClose={onClose}
      returnTo={() => findRow(id)}
      covered={covered}
      holdsInput
    >
      {error === null || webhook !== undefined ? null : isMissing(error) ? (
        <p>No webhook of yours has this ID.</p>
      ) : (
        <FailureNotice what="The webhook could not be loaded." error={error} onRetry={() => void refetch()} />
      )}
      {webhook === undefined ? null : (
        <>
          <WebhookDetails webhook={webhook} />
          <DrawerSection
            title="Deliveries"
            about="Requests, responses and redelivery."
            ways={
              <Button
                size="sm"
                variant="default"
                renderRoot={(button) => (
                  <Link
                    {...button}
                    to="/webhooks/deliveries"
                    search={{ webhook: id, ...(kind === 'orchestra' ? { api: kind } : {}) }}
                  />
                )}
              >
                View deliveries
              </Button>
            }
          />
          <WebhookSwitch
            kind={kind}
            webhook={webhook}
            onChanged={onChanged}
            onVerification={setVerification}
          />
          {verification === null ? null : (
            <DrawerSection
              title="Verification URL"
              about="The receiver did not return the challenge. Open this URL within 24 hours to verify it instead."
            >
              <Copyable text={verification} what="verification URL" />
            </DrawerSection>
          )}
          <EditWebhook kind={kind} webhook={webhook} onChanged={onChanged} />
          <WebhookAccess
            kind={kind}
            webhook={webhook}
            onCovered={setCovered}
            onSecret={onSecret}
            onDeleted={async () => {
              await onChanged()
              onClose()
            }}
          />
        </>
      )}
    </SideDrawer>
  )
}

function WebhookDetails({ webhook }: { webhook: Webhook }) {
  const { tone, word } = describeWebhook(webhook)
  const { failing_since: failingSince, verified_at: verifiedAt, previous_secret_expires_at: until } = webhook
  return (
    <DetailBox
      details={[
        { name: 'State', value: <Status tone={tone} word={word} /> },
        { name: 'ID', value: <Copyable text={webhook.webhook_id} what="webhook ID" /> },
        { name: 'Added', value: <RelativeTime at={momentOf(webhook.created_at)} /> },
        {
          name: 'Verified',
          value: verifiedAt === null ? 'no' : <RelativeTime at={momentOf(verifiedAt)} />,
        },
        ...(failingSince === null
          ? []
          : [{ name: 'Failing since', value: <RelativeTime at={momentOf(failingSince)} /> }]),
        ...(until === null
          ? []
          : [{ name: 'Old secret ends', value: <RelativeTime at={momentOf(until)} /> }]),
      ]}
    />
  )
}

/** Whether the address names a webhook that is not there; one that is no id at all is none either. */
function isMissing(error: Error): boolean {
  return error instanceof ApiFailure && (error.status === 404 || error.status === 400)
}

interface EditWebhookProps {
  readonly kind: WebhookApi
  readonly webhook: Webhook
  readonly onChanged: () => Promise<void>
}

/** The settings of a webhook. A new URL has to be verified again. */
function EditWebhook({ kind, webhook, onChanged }: EditWebhookProps) {
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
            ? 'The new URL has to be verified first.'
            : 'The change applies immediately.',
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
