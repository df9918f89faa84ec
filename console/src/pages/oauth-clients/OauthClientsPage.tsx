import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { type Owner, oauthClientsQuery } from '../../api/access-queries.ts'
import { useApi } from '../../api/api-context.ts'
import type { OauthClient } from '../../api/responses.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { OwnerChoice } from '../../parts/OwnerChoice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { Surface } from '../../parts/Section.tsx'
import { type Column, rowsOf, Table } from '../../parts/Table.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { LastUse } from '../../time/RelativeTime.tsx'
import type { NewClient } from './ClientCredentials.tsx'
import { kindOf } from './client-kinds.ts'
import type { OauthClientSearch } from './oauth-client-search.ts'

const CreateClient = lazyPart(() =>
  import('./ClientDrawer.tsx').then(({ CreateClient: it }) => ({ default: it })),
)
const ClientDrawer = lazyPart(() => import('./ClientDrawer.tsx'))
const ClientCredentials = lazyPart(() => import('./ClientCredentials.tsx'))
const route = getRouteApi('/oauth-clients')

/** The registered OAuth clients. */
export function OauthClientsPage() {
  const { owner = 'me', page = 1, client: openId, create } = route.useSearch()
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const { data: clients, failure, refetch } = useApiQuery(oauthClientsQuery(useApi(), { owner, page }))
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
      lead="Registered applications can ask users for access without seeing their password."
      aside={
        <Button size="compact-sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={openCreate}>
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
          what="The OAuth clients could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <>
          <Surface>
            <ClientTable
              clients={rowsOf(clients)}
              total={clients?.total}
              owner={owner}
              openId={openId}
              onCreate={openCreate}
              onOpen={(id) =>
                void navigate({ search: (now) => ({ ...now, client: id }), resetScroll: false })
              }
            />
          </Surface>
          <Pager
            order="oldest first"
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

const about: ReadonlyArray<Column<OauthClient>> = [
  { title: 'Name', value: ({ name }) => name, placeholderWidth: 120, cell: ({ name }) => name },
  { title: 'Type', value: kindOf, minWidth: 96, placeholderWidth: 96, cell: kindOf },
  {
    title: 'Client ID',
    value: ({ client_id: id }) => id,
    minor: true,
    placeholderWidth: 160,
    cell: ({ client_id }) => <code>{client_id}</code>,
  },
  {
    title: 'Scopes',
    value: ({ scopes }) => scopes.join(', '),
    placeholderWidth: 140,
    cell: ({ scopes }) => scopes.join(', ') || 'nothing',
  },
]

const lastUse: Column<OauthClient> = {
  title: 'Last used',
  value: ({ last_used_at: at }) => at,
  numeric: true,
  placeholderWidth: 56,
  cell: ({ last_used_at }) => <LastUse at={last_used_at} />,
}

const ownerColumn: Column<OauthClient> = {
  title: 'Owner',
  value: ({ username }) => username,
  minWidth: 72,
  placeholderWidth: 72,
  cell: ({ username }) => username,
}

const columnsFor: Readonly<Record<Owner, ReadonlyArray<Column<OauthClient>>>> = {
  me: [...about, lastUse],
  all: [...about, ownerColumn, lastUse],
}

interface ClientTableProps {
  /** The number of rows on all pages. */
  readonly total: number | undefined
  readonly clients: readonly OauthClient[] | undefined
  readonly owner: Owner
  readonly openId: string | undefined
  readonly onCreate: () => void
  readonly onOpen: (clientId: string) => void
}

function ClientTable({ clients, total, owner, openId, onCreate, onOpen }: ClientTableProps) {
  if (clients?.length === 0) {
    return (
      <EmptyState
        sentence={
          owner === 'me'
            ? 'You have no OAuth clients yet. Register one to let users sign in to it with their Tutti account, or to let a service act for your account.'
            : 'No OAuth clients yet.'
        }
        action={
          <Button size="compact-sm" variant="default" onClick={onCreate}>
            Register your first client
          </Button>
        }
        link={<a href={apiReferencePath}>About OAuth clients</a>}
      />
    )
  }
  return (
    <Table
      label="OAuth clients"
      name="main"
      columns={columnsFor[owner]}
      rows={clients}
      total={total}
      rowKey={({ client_id }) => client_id}
      placeholderRows={3}
      onOpen={({ client_id }) => onOpen(client_id)}
      isOpen={({ client_id }) => client_id === openId}
    />
  )
}
