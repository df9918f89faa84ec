import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { Page } from '../../parts/Page.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { rowsOf } from '../../parts/rows-of.ts'
import { Surface } from '../../parts/Section.tsx'
import { ApiChoice } from './ApiChoice.tsx'
import type { NewWebhookSecret } from './NewWebhook.tsx'
import { WebhookTable } from './WebhookTable.tsx'
import { webhooksQuery } from './webhook-calls.ts'
import { readWebhookSearch, type WebhookSearch } from './webhook-search.ts'

const CreateWebhook = lazy(() => import('./CreateWebhook.tsx'))
const NewWebhook = lazy(() => import('./NewWebhook.tsx'))
const WebhookDrawer = lazy(() => import('./WebhookDrawer.tsx'))
const route = getRouteApi('/webhooks')

/** Who is told what happens here, and whether it arrives. */
export function WebhooksPage() {
  // The address may say what makes no sense, and keeps it.
  const search = readWebhookSearch({ ...route.useSearch() })
  const { api: kind = 'workflows', page = 1, webhook: openId, create } = search
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const { data, failure, refetch } = useAnswer(webhooksQuery(useApi(), { kind, page }))
  const [secret, setSecret] = useState<NewWebhookSecret>()

  const refresh = () => cache.invalidateQueries({ queryKey: ['webhooks'] })
  const openCreate = () => void navigate({ search: (now) => ({ ...withoutDialog(now), create: true }) })
  const close = () => void navigate({ search: withoutDialog, resetScroll: false })
  const open = (id: string) =>
    void navigate({ search: (now) => ({ ...withoutDialog(now), webhook: id }), resetScroll: false })

  return (
    <Page
      title="Webhooks"
      lead="Your own systems hear what happens here as it happens: signed, in order, and again until it arrives."
      aside={
        <Button size="sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={openCreate}>
          Add webhook
        </Button>
      }
    >
      <ListTools count={countText(data?.total)}>
        <ApiChoice
          kind={kind}
          onChange={(wanted) =>
            void navigate({ search: wanted === 'orchestra' ? { api: 'orchestra' } : {}, replace: true })
          }
        />
      </ListTools>
      {data === undefined && failure !== null ? (
        <FailureNotice
          what="The webhooks could not be read."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <>
          <Surface>
            <WebhookTable
              webhooks={rowsOf(data && { data: data.webhooks, total: data.total })}
              openId={openId}
              onCreate={openCreate}
              onOpen={open}
            />
          </Surface>
          <Pager
            page={page}
            total={data?.total}
            onPage={(wanted, { replace }) =>
              void navigate({ search: (now) => ({ ...now, page: wanted }), replace })
            }
          />
        </>
      )}
      <Suspense>
        {create === true ? (
          <CreateWebhook
            key={kind}
            kind={kind}
            onClose={close}
            onCreated={async (made) => {
              await refresh()
              close()
              setSecret(made)
            }}
          />
        ) : null}
        {openId === undefined ? null : (
          <WebhookDrawer
            key={openId}
            kind={kind}
            id={openId}
            listed={data?.webhooks.find(({ webhook_id }) => webhook_id === openId)}
            onChanged={refresh}
            onSecret={setSecret}
            onClose={close}
          />
        )}
        {secret === undefined ? null : <NewWebhook made={secret} onDone={() => setSecret(undefined)} />}
      </Suspense>
    </Page>
  )
}

function withoutDialog(search: WebhookSearch): WebhookSearch {
  const { create: _create, webhook: _webhook, ...list } = search
  return list
}

function countText(total: number | undefined): string | undefined {
  if (total === undefined) return undefined
  return total === 1 ? '1 webhook' : `${total.toLocaleString()} webhooks`
}
