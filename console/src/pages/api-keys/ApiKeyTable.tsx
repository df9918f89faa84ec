import { Button } from '@mantine/core'
import { useMemo } from 'react'
import type { Owner } from '../../api/access-queries.ts'
import type { ApiKey } from '../../api/bodies.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { LastUse } from '../../parts/LastUse.tsx'
import { RowAction } from '../../parts/RowAction.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { useTimedText } from '../../time/clock.ts'
import { describeMoment } from '../../time/describe-time.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'

const about: ReadonlyArray<Column<ApiKey>> = [
  { title: 'Name', placeholderWidth: 132, cell: ({ name }) => name },
  { title: 'Key', minor: true, room: 88, placeholderWidth: 96, cell: ({ prefix }) => <code>{prefix}…</code> },
  {
    title: 'May do',
    placeholderWidth: 120,
    cell: ({ scopes }) => (scopes === null ? 'Everything its owner may' : scopes.join(', ')),
  },
]

const times: ReadonlyArray<Column<ApiKey>> = [
  {
    title: 'Last used',
    numeric: true,
    placeholderWidth: 56,
    cell: ({ last_used_at }) => <LastUse at={last_used_at} />,
  },
  {
    title: 'Expires',
    numeric: true,
    placeholderWidth: 56,
    cell: ({ expires_at }) => (expires_at === null ? 'never' : <Expiry at={expires_at} />),
  },
]

const ownerColumn: Column<ApiKey> = {
  title: 'Owner',
  room: 72,
  placeholderWidth: 72,
  cell: ({ username }) => username,
}

function revokeColumn(onRevoke: (key: ApiKey) => void): Column<ApiKey> {
  return {
    title: 'Revoke',
    numeric: true,
    quiet: true,
    placeholderWidth: 56,
    cell: (key) => <RowAction label="Revoke" name={key.name} onClick={() => onRevoke(key)} />,
  }
}

interface ApiKeyTableProps {
  readonly keys: readonly ApiKey[] | undefined
  readonly owner: Owner
  readonly onCreate: () => void
  readonly onRevoke: (key: ApiKey) => void
}

export function ApiKeyTable({ keys, owner, onCreate, onRevoke }: ApiKeyTableProps) {
  const columns = useMemo(
    () => [...about, ...(owner === 'all' ? [ownerColumn] : []), ...times, revokeColumn(onRevoke)],
    [owner, onRevoke],
  )

  if (keys?.length === 0) {
    return (
      <EmptyState
        sentence={
          owner === 'me'
            ? 'You have no API keys yet. Create one for a script or a service that should work for you, and revoke it whenever you like.'
            : 'Nobody has an API key yet.'
        }
        action={
          <Button size="compact-sm" variant="default" onClick={onCreate}>
            Create your first key
          </Button>
        }
        link={<a href={apiReferencePath}>See what programs can call</a>}
      />
    )
  }
  return <Table label="API keys" columns={columns} rows={keys} rowKey={({ id }) => id} placeholderRows={3} />
}

/** The moment a key stops working, or that it has. */
function Expiry({ at }: { at: string }) {
  const isOver = useTimedText((now) => (new Date(at) <= now ? 'over' : '')) === 'over'
  return isOver ? (
    <Status tone="warn" word="Expired" title={describeMoment(new Date(at))} />
  ) : (
    <RelativeTime at={at} />
  )
}
