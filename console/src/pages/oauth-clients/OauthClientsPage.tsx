import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { oauthClientsQuery } from '../../api/access-queries.ts'
import { useApi } from '../../api/api-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { OwnerChoice } from '../../parts/OwnerChoice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { rowsOf } from '../../parts/rows-of.ts'
import { Surface } from '../../parts/Section.tsx'
import type { NewClient } from './ClientCredentials.tsx'
import { ClientTable } from './ClientTable.tsx'
import type { OauthClientSearch } from './oauth-client-search.ts'

const CreateClient = lazy(() => import('./CreateClient.tsx'))
const ClientDrawer = lazy(() => import('./ClientDrawer.tsx'))
const ClientCredentials = lazy(() => import('./ClientCredentials.tsx'))
const route = getRouteApi('/oauth-clients')

/** The applications that were registered here. */
export function OauthClientsPage() {
  const { owner = 'me', page = 1, client: openId, create } = route.useSearch()
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const { data: clients, failure, refetch } = useAnswer(oauthClientsQuery(useApi(), { owner, page }))
  const [told, setTold] = useState<NewClient>()

  const openCreate = () => void navigate({ search: (now) => ({ ...now, create: true }) })
  const close = () => void navigate({ search: withoutDialog, resetScroll: false })
  const refresh = () => cache.invalidateQueries({ queryKey: ['oauth-clients'] })
  const tell = async (client: NewClient) => {
    await refresh()
    close()
    setTold(client)
  }

  return (
    <Page
      title="OAuth clients"
      lead="An application registered here can ask people to let it act for them, without ever seeing their password."
      aside={
        <Button size="sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={openCreate}>
          Register client
        </Button>
      }
    >
      <ListTools count={countText(clients?.total)}>
        <OwnerChoice
          what="clients"
          owner={owner}
          onChange={(wanted) => void navigate({ search: wanted === 'all' ? { owner: 'all' } : {} })}
        />
      </ListTools>
      {clients === undefined && failure !== null ? (
        <FailureNotice
          what="The OAuth clients could not be read."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <>
          <Surface>
            <ClientTable
              clients={rowsOf(clients)}
              owner={owner}
              openId={openId}
              onCreate={openCreate}
              onOpen={(id) =>
                void navigate({ search: (now) => ({ ...now, client: id }), resetScroll: false })
              }
            />
          </Surface>
          <Pager
            page={page}
            total={clients?.total}
            onPage={(wanted, { replace }) =>
              void navigate({ search: (now) => ({ ...now, page: wanted }), replace })
            }
          />
        </>
      )}
      <Suspense>
        {create === true ? <CreateClient onClose={close} onCreated={tell} /> : null}
        {openId === undefined ? null : (
          <ClientDrawer
            key={openId}
            clientId={openId}
            listed={clients?.data.find(({ client_id }) => client_id === openId)}
            onChanged={refresh}
            onNewSecret={tell}
            onClose={close}
          />
        )}
        {told === undefined ? null : <ClientCredentials client={told} onDone={() => setTold(undefined)} />}
      </Suspense>
    </Page>
  )
}

function withoutDialog(search: OauthClientSearch): OauthClientSearch {
  const { create: _, client: __, ...list } = search
  return list
}

function countText(total: number | undefined): string | undefined {
  if (total === undefined) return undefined
  return total === 1 ? '1 client' : `${total.toLocaleString()} clients`
}
