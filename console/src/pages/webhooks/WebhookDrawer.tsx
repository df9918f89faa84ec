import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { ApiFailure } from '../../api/api-failure.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { FactsBox } from '../../parts/FactsBox.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { Status } from '../../parts/Status.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { EditWebhook } from './EditWebhook.tsx'
import type { NewWebhookSecret } from './NewWebhook.tsx'
import { WebhookAccess } from './WebhookAccess.tsx'
import { WebhookSwitch } from './WebhookSwitch.tsx'
import { type Webhook, webhookQuery } from './webhook-calls.ts'
import type { WebhookApi } from './webhook-search.ts'
import { momentOf } from './webhook-times.ts'
import { describeWebhook } from './webhook-words.ts'

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
        <p>There is no webhook with this id, or it is not yours.</p>
      ) : (
        <FailureNotice what="The webhook could not be read." error={error} onRetry={() => void refetch()} />
      )}
      {webhook === undefined ? null : (
        <>
          <WebhookFacts webhook={webhook} />
          <DrawerSection
            title="Deliveries"
            about="What was sent, what came back, and sending it again."
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
                See its deliveries
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
              title="Verification address"
              about="It did not answer with the challenge. Whoever opens this address within 24 hours verifies it instead."
            >
              <Copyable text={verification} what="verification address" />
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

function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { tone, word } = describeWebhook(webhook)
  const { failing_since: failingSince, verified_at: verifiedAt, previous_secret_expires_at: until } = webhook
  return (
    <FactsBox
      facts={[
        { name: 'State', value: <Status tone={tone} word={word} /> },
        { name: 'Id', value: <Copyable text={webhook.webhook_id} what="webhook id" /> },
        { name: 'Added', value: <RelativeTime at={momentOf(webhook.created_at)} /> },
        {
          name: 'Verified',
          value: verifiedAt === null ? 'not yet' : <RelativeTime at={momentOf(verifiedAt)} />,
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
