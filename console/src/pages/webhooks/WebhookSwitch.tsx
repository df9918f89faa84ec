import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { notify } from '../../shell/notify.ts'
import { pathOf, type Webhook } from './webhook-calls.ts'
import { bodyOfDraft, draftOf } from './webhook-draft.ts'
import type { WebhookApi } from './webhook-search.ts'
import { describeWebhook } from './webhook-words.ts'

interface WebhookSwitchProps {
  readonly kind: WebhookApi
  readonly webhook: Webhook
  readonly onChanged: () => Promise<void>
  /** The receiver did not return the challenge: opening this URL verifies it instead. */
  readonly onVerification: (address: string | null) => void
}

/** Whether it is sent anything, and the way from here to there. */
export function WebhookSwitch({ kind, webhook, onChanged, onVerification }: WebhookSwitchProps) {
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

/** The switch stands beside the address, wherever the interface has that. */
function withActive(
  kind: WebhookApi,
  body: Record<string, unknown>,
  active: boolean,
): Record<string, unknown> {
  if (kind === 'orchestra') return { ...body, active }
  return { webhook_config: { ...(body['webhook_config'] as object), active } }
}
