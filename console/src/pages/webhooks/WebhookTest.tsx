import { Button, NativeSelect } from '@mantine/core'
import '../../theme/mantine-form.css'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { DetailBox } from '../../parts/DetailBox.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { JsonView } from '../../parts/JsonView.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { Status } from '../../parts/Status.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { describeAnswer, describeDelivery, describeSeconds } from './delivery-words.ts'
import { deliveryQuery, pathOf, type Webhook } from './webhook-calls.ts'
import type { WebhookApi } from './webhook-search.ts'

interface WebhookTestProps {
  readonly kind: WebhookApi
  readonly webhook: Webhook
}

/** Sends a test event from the list of webhooks. */
export default function WebhookTestDrawer({
  kind,
  webhook,
  onClose,
}: WebhookTestProps & { readonly onClose: () => void }) {
  const { webhook_id: id, name, webhook_url: url } = webhook
  return (
    <SideDrawer title={`Test ${name ?? url}`} onClose={onClose} returnTo={() => findRow(id)}>
      <WebhookTest kind={kind} webhook={webhook} />
    </SideDrawer>
  )
}

const defaultEvent = 'webhook.test'

/** Sends a test event, and shows what the receiver answers. */
export function WebhookTest({ kind, webhook }: WebhookTestProps) {
  const api = useApi()
  const [event, setEvent] = useState(defaultEvent)
  const send = useMutation({
    mutationFn: async () => {
      const sent = await bodyOf(
        api.client.POST(pathOf(kind, '/{id}/test'), {
          params: { path: { id: webhook.webhook_id } },
          body: { event: event as typeof defaultEvent },
        }),
      )
      return { delivery: sent.delivery_id, sentAt: Date.now() }
    },
  })
  return (
    <DrawerSection
      title="Test event"
      about={
        webhook.status === 'active'
          ? 'Sends sample data once, signed and marked as a test. Filters do not apply.'
          : 'Tests can be sent once the webhook is verified and enabled.'
      }
      ways={
        <Button
          size="sm"
          variant="default"
          aria-disabled={send.isPending || webhook.status !== 'active'}
          onClick={() => send.isPending || webhook.status !== 'active' || send.mutate()}
        >
          Send test event
        </Button>
      }
    >
      <NativeSelect
        size="sm"
        label="Event"
        data={[defaultEvent, ...webhook.events_subscribed]}
        value={event}
        onChange={({ currentTarget }) => setEvent(currentTarget.value)}
      />
      {send.error === null ? null : (
        <FailureNotice what="The test event was not sent." error={send.error} onRetry={() => send.mutate()} />
      )}
      {send.data === undefined ? null : (
        <TestResult key={send.data.delivery} kind={kind} id={webhook.webhook_id} {...send.data} />
      )}
    </DrawerSection>
  )
}

/** How long, and how often, the result of a test is awaited. A slow receiver may take longer; the deliveries then show it. */
const awaitMs = 15_000
const pollMs = 700

interface TestResultProps {
  readonly kind: WebhookApi
  readonly id: string
  readonly delivery: string
  readonly sentAt: number
}

function TestResult({ kind, id, delivery, sentAt }: TestResultProps) {
  const cache = useQueryClient()
  const { data, error, refetch } = useQuery({
    ...deliveryQuery(useApi(), { kind, id, delivery }),
    refetchInterval: ({ state: { data: known } }) =>
      (known === undefined || known.state === 'pending') && Date.now() - sentAt < awaitMs ? pollMs : false,
  })
  const attempt = data?.last_attempt ?? null
  const isFinished = data !== undefined && data.state !== 'pending'
  // The list shows the result of the test, too.
  useEffect(() => {
    if (isFinished) void cache.invalidateQueries({ queryKey: ['webhooks', kind, 'list'] })
  }, [cache, kind, isFinished])
  if (data === undefined && error !== null) {
    return (
      <FailureNotice what="The result could not be loaded." error={error} onRetry={() => void refetch()} />
    )
  }
  if (data === undefined || data.state === 'pending') {
    return (
      <p role="status">
        Waiting for the response.{' '}
        <Link
          to="/webhooks/deliveries"
          search={{ webhook: id, delivery, ...(kind === 'orchestra' ? { api: kind } : {}) }}
        >
          View the delivery
        </Link>
      </p>
    )
  }
  return (
    <div role="status">
      <DetailBox
        details={[
          { name: 'Result', value: <Status {...describeDelivery(data)} /> },
          { name: 'Response', value: describeAnswer(data) ?? 'none' },
          ...(attempt === null || attempt.duration === null
            ? []
            : [{ name: 'Duration', value: describeSeconds(attempt.duration) }]),
        ]}
      />
      {attempt?.response == null ? null : (
        <JsonView
          value={{ headers: attempt.response.headers, body: attempt.response.body }}
          what="response of the receiver"
        />
      )}
    </div>
  )
}
