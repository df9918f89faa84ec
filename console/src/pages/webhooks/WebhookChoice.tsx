import '../../theme/mantine-form.css'
import { Button, NativeSelect } from '@mantine/core'
import { Link, Navigate, useNavigate } from '@tanstack/react-router'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Surface } from '../../parts/Section.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { webhooksQuery } from './webhook-calls.ts'
import type { WebhookApi } from './webhook-search.ts'

/** The first webhooks of both APIs; undefined while they are loading. */
function useWebhooks() {
  const api = useApi()
  const workflows = useApiQuery(webhooksQuery(api, { kind: 'workflows', page: 1 }))
  const orchestra = useApiQuery(webhooksQuery(api, { kind: 'orchestra', page: 1 }))
  const of = (kind: WebhookApi, { data }: typeof workflows) =>
    data?.webhooks.map(({ webhook_id: id, name, webhook_url: url }) => ({ kind, id, title: name ?? url }))
  const [some, others] = [of('workflows', workflows), of('orchestra', orchestra)]
  return {
    webhooks: some === undefined || others === undefined ? undefined : [...some, ...others],
    failure: workflows.failure ?? orchestra.failure,
    retry: () => void Promise.all([workflows.refetch(), orchestra.refetch()]),
  }
}

const searchOf = (kind: WebhookApi, id: string) => ({
  webhook: id,
  ...(kind === 'orchestra' ? { api: kind } : {}),
})

/** Opens the deliveries of another webhook. */
export function WebhookChoice({ kind, id }: { kind: WebhookApi; id: string }) {
  const navigate = useNavigate()
  const { webhooks = [] } = useWebhooks()
  // One that is not among the first ones is listed, too, so that the field has its value.
  const listed = webhooks.some((it) => it.id === id) ? webhooks : [{ kind, id, title: id }, ...webhooks]
  return (
    <NativeSelect
      data-filter
      size="sm"
      aria-label="Webhook"
      data={listed.map(({ id: value, title }) => ({ value, label: title }))}
      value={id}
      onChange={({ currentTarget }) => {
        const wanted = listed.find((it) => it.id === currentTarget.value)
        if (wanted !== undefined)
          void navigate({ to: '/webhooks/deliveries', search: searchOf(wanted.kind, wanted.id) })
      }}
    />
  )
}

/** Leads to the deliveries of the first webhook, or to the form of the first one. */
export function FirstWebhook() {
  const { webhooks, failure, retry } = useWebhooks()
  const [first] = webhooks ?? []
  if (first !== undefined)
    return <Navigate to="/webhooks/deliveries" search={searchOf(first.kind, first.id)} replace />
  return (
    <Page title="Deliveries" lead="What was sent to webhooks, and their responses.">
      {webhooks === undefined && failure !== null ? (
        <FailureNotice what="The webhooks could not be loaded." error={failure} onRetry={retry} />
      ) : (
        <Surface>
          {webhooks === undefined ? (
            <Skeleton width={320} />
          ) : (
            <EmptyState
              sentence="No webhooks yet. Deliveries appear here when a webhook receives events."
              action={
                <Button
                  size="compact-sm"
                  variant="default"
                  renderRoot={(props) => <Link to="/webhooks" search={{ create: true }} {...props} />}
                >
                  Add webhook
                </Button>
              }
              link={<a href={apiReferencePath}>Read deliveries through the API</a>}
            />
          )}
        </Surface>
      )}
    </Page>
  )
}
