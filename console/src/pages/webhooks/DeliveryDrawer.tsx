import { Button } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { Copyable } from '../../parts/Copyable.tsx'
import { DetailBox } from '../../parts/DetailBox.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { JsonView } from '../../parts/JsonView.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { Status } from '../../parts/Status.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { notify } from '../../shell/notify.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { describeDelivery, describeSeconds } from './delivery-words.ts'
import { type Delivery, deliveryQuery, pathOf } from './webhook-calls.ts'
import type { WebhookApi } from './webhook-search.ts'
import { momentOf } from './webhook-words.ts'

interface DeliveryDrawerProps {
  readonly kind: WebhookApi
  readonly id: string
  readonly delivery: string
  readonly onChanged: () => Promise<void>
  readonly onClose: () => void
}

/** One delivery: request, response, and the action to redeliver it. */
export default function DeliveryDrawer({ kind, id, delivery, onChanged, onClose }: DeliveryDrawerProps) {
  const api = useApi()
  const { data, error, refetch } = useQuery(deliveryQuery(api, { kind, id, delivery }))
  const again = useMutation({
    mutationFn: () =>
      bodyOf(
        api.client.POST(pathOf(kind, '/{id}/deliveries/{delivery}/redeliver'), {
          params: { path: { id, delivery } },
        }),
      ),
    async onSuccess() {
      await onChanged()
      await notify({ title: 'The delivery is queued again' })
    },
  })
  return (
    <SideDrawer title={data?.event ?? 'Delivery'} onClose={onClose} returnTo={() => findRow(delivery)}>
      {error === null || data !== undefined ? null : (
        <FailureNotice
          what="The delivery could not be loaded."
          error={error}
          onRetry={() => void refetch()}
        />
      )}
      {data === undefined ? null : (
        <>
          <DeliveryDetails delivery={data} />
          {data.state === 'pending' ? null : (
            <DrawerSection
              title="Redeliver"
              about="Sends the delivery with the same ID, so that the receiver can detect duplicates."
              ways={
                <Button
                  size="sm"
                  variant="default"
                  aria-disabled={again.isPending}
                  onClick={() => again.isPending || again.mutate()}
                >
                  Redeliver
                </Button>
              }
            >
              {again.error === null ? null : (
                <FailureNotice
                  what="The delivery was not queued again."
                  error={again.error}
                  onRetry={() => again.mutate()}
                />
              )}
            </DrawerSection>
          )}
          <LastAttempt attempt={data.last_attempt} />
        </>
      )}
    </SideDrawer>
  )
}

function DeliveryDetails({ delivery }: { delivery: Delivery }) {
  const { reason, attempts, next_attempt_at: nextAt, last_attempt: attempt } = delivery
  return (
    <DetailBox
      details={[
        { name: 'State', value: <Status {...describeDelivery(delivery)} /> },
        ...(reason === null ? [] : [{ name: 'Reason', value: reason }]),
        { name: 'Event time', value: <RelativeTime at={momentOf(delivery.timestamp)} /> },
        { name: 'Subject', value: <Copyable text={delivery.subject} what="subject" /> },
        { name: 'Attempts', value: String(attempts) },
        ...(nextAt === null ? [] : [{ name: 'Next attempt', value: <RelativeTime at={momentOf(nextAt)} /> }]),
        ...(attempt === null || attempt.duration === null
          ? []
          : [{ name: 'Duration', value: describeSeconds(attempt.duration) }]),
        { name: 'ID', value: <Copyable text={delivery.delivery_id} what="delivery ID" /> },
      ]}
    />
  )
}

function LastAttempt({ attempt }: { attempt: Delivery['last_attempt'] }) {
  if (attempt === null) return null
  const { request, response, error } = attempt
  return (
    <>
      <DrawerSection
        title="Response"
        about={
          response === null
            ? (error?.message ?? 'No response.')
            : `HTTP ${response.status}${error === null ? '' : `: ${error.message}`}`
        }
      >
        {response === null ? null : (
          <JsonView value={{ headers: response.headers, body: response.body }} what="answer" />
        )}
      </DrawerSection>
      {request === null ? null : (
        <DrawerSection title="Request" about={`POST ${request.url}, ${request.bytes.toLocaleString()} bytes`}>
          <JsonView value={request.body} what="request body" />
          <JsonView value={request.headers} what="request headers" />
        </DrawerSection>
      )}
    </>
  )
}
