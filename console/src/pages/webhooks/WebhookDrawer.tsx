import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { ApiFailure } from '../../api/api-failure.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { Copyable } from '../../parts/Copyable.tsx'
import { DangerButton } from '../../parts/DangerButton.tsx'
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
import { fieldsOf, WebhookFields } from './WebhookFields.tsx'
import { WebhookTest } from './WebhookTest.tsx'
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

/** One webhook: state, events, secret, and deleting it. */
export default function WebhookDrawer(props: WebhookDrawerProps) {
  const { kind, id, listed, onChanged, onSecret, onClose } = props
  // A deleted webhook is not refetched: it is no longer listed, and the drawer is about to close.
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
      title={webhook?.name ?? webhook?.webhook_url ?? 'Webhook'}
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
          <WebhookTest kind={kind} webhook={webhook} />
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
        ...(webhook.name === null
          ? []
          : [{ name: 'URL', value: <Copyable text={webhook.webhook_url} what="URL" /> }]),
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

/** Whether the webhook does not exist. The server answers 400 to an id in a wrong format. */
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

interface WebhookAccessProps {
  readonly kind: WebhookApi
  readonly webhook: Webhook
  /** Called when a confirmation dialog opens in front of the drawer, and when it closes. */
  readonly onCovered: (covered: boolean) => void
  readonly onSecret: (made: NewWebhookSecret) => void
  readonly onDeleted: () => Promise<void>
}

/** Replaces the secret, and deletes the webhook. */
function WebhookAccess({ kind, webhook, onCovered, onSecret, onDeleted }: WebhookAccessProps) {
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

interface WebhookSwitchProps {
  readonly kind: WebhookApi
  readonly webhook: Webhook
  readonly onChanged: () => Promise<void>
  /** The receiver did not return the challenge: opening this URL verifies it instead. */
  readonly onVerification: (address: string | null) => void
}

/** Enables, disables or verifies a webhook. */
function WebhookSwitch({ kind, webhook, onChanged, onVerification }: WebhookSwitchProps) {
  const api = useApi()
  const params = { path: { id: webhook.webhook_id } }
  const isDisabled = webhook.status === 'disabled'

  const turn = useMutation({
    mutationFn: () =>
      bodyOf(
        api.client.PUT(pathOf(kind, '/{id}'), {
          params,
          body: withActive(kind, bodyOfDraft(kind, draftOf(webhook), webhook), isDisabled) as never,
        }),
      ),
    onSuccess: onChanged,
  })
  const challenge = useMutation({
    mutationFn: () => bodyOf(api.client.POST(pathOf(kind, '/{id}/verify'), { params })),
    async onSuccess({ status, verification }) {
      await onChanged()
      if (status === 'active') return await notify({ title: 'The receiver is verified' })
      onVerification(verification.verification_url)
    },
  })
  const failed = turn.error ?? challenge.error
  const isBusy = turn.isPending || challenge.isPending
  return (
    <DrawerSection
      title="Sending"
      about={describeWebhook(webhook).about}
      ways={
        <>
          {webhook.status === 'pending_verification' ? (
            <Button size="sm" aria-disabled={isBusy} onClick={() => isBusy || challenge.mutate()}>
              Resend challenge
            </Button>
          ) : (
            <Button
              size="sm"
              variant="default"
              aria-disabled={isBusy}
              onClick={() => isBusy || turn.mutate()}
            >
              {isDisabled ? 'Enable' : 'Disable'}
            </Button>
          )}
        </>
      }
    >
      {failed === null ? null : (
        <FailureNotice
          what="Nothing was changed."
          error={failed}
          onRetry={() => (turn.error === null ? challenge.mutate() : turn.mutate())}
        />
      )}
    </DrawerSection>
  )
}

/** Adds `active` to a request body, beside the URL: the two APIs nest the URL differently. */
function withActive(
  kind: WebhookApi,
  body: Record<string, unknown>,
  active: boolean,
): Record<string, unknown> {
  if (kind === 'orchestra') return { ...body, active }
  return { webhook_config: { ...(body['webhook_config'] as object), active } }
}
