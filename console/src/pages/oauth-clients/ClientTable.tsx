import { Button } from '@mantine/core'
import type { Owner } from '../../api/access-queries.ts'
import type { OauthClient } from '../../api/bodies.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { LastUse } from '../../parts/LastUse.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { kindOf } from './client-kinds.ts'

const about: ReadonlyArray<Column<OauthClient>> = [
  { title: 'Name', placeholderWidth: 120, cell: ({ name }) => name },
  { title: 'Kind', room: 96, placeholderWidth: 96, cell: kindOf },
  {
    title: 'Client id',
    minor: true,
    placeholderWidth: 160,
    cell: ({ client_id }) => <code>{client_id}</code>,
  },
  { title: 'May ask for', placeholderWidth: 140, cell: ({ scopes }) => scopes.join(', ') || 'nothing' },
]

const lastUse: Column<OauthClient> = {
  title: 'Last used',
  numeric: true,
  placeholderWidth: 56,
  cell: ({ last_used_at }) => <LastUse at={last_used_at} />,
}

const ownerColumn: Column<OauthClient> = {
  title: 'Owner',
  room: 72,
  placeholderWidth: 72,
  cell: ({ username }) => username,
}

const columnsFor: Readonly<Record<Owner, ReadonlyArray<Column<OauthClient>>>> = {
  me: [...about, lastUse],
  all: [...about, ownerColumn, lastUse],
}

interface ClientTableProps {
  readonly clients: readonly OauthClient[] | undefined
  readonly owner: Owner
  readonly openId: string | undefined
  readonly onCreate: () => void
  readonly onOpen: (clientId: string) => void
}

export function ClientTable({ clients, owner, openId, onCreate, onOpen }: ClientTableProps) {
  if (clients?.length === 0) {
    return (
      <EmptyState
        sentence={
          owner === 'me'
            ? 'You have registered no application yet. Register one to let people sign in to it with their account here, or to let a service act for yours.'
            : 'Nobody has registered an application yet.'
        }
        action={
          <Button size="compact-sm" variant="default" onClick={onCreate}>
            Register your first client
          </Button>
        }
        link={<a href={apiReferencePath}>How applications connect</a>}
      />
    )
  }
  return (
    <Table
      label="OAuth clients"
      columns={columnsFor[owner]}
      rows={clients}
      rowKey={({ client_id }) => client_id}
      placeholderRows={3}
      onOpen={({ client_id }) => onOpen(client_id)}
      isOpen={({ client_id }) => client_id === openId}
    />
  )
}
