import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { apiKeysQuery, type Owner } from '../../api/access-queries.ts'
import { useApi } from '../../api/api-context.ts'
import { profileQuery } from '../../api/queries.ts'
import type { ApiKey } from '../../api/responses.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { OwnerChoice } from '../../parts/OwnerChoice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { RowAction } from '../../parts/RowAction.tsx'
import { Surface } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, rowsOf, Table } from '../../parts/Table.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { useTimedText } from '../../time/clock.ts'
import { describeMoment } from '../../time/describe-time.ts'
import { LastUse, RelativeTime } from '../../time/RelativeTime.tsx'
import type { CreatedApiKey } from './ApiKeyDialogs.tsx'
import styles from './ApiKeysPage.module.css'
import type { ApiKeySearch } from './api-key-search.ts'
import { describeLimits } from './key-limits.ts'

const CreateApiKey = lazyPart(() =>
  import('./ApiKeyDialogs.tsx').then(({ CreateApiKey: it }) => ({ default: it })),
)
const EditApiKey = lazyPart(() => import('./EditApiKey.tsx').then(({ EditApiKey: it }) => ({ default: it })))
const NewApiKey = lazyPart(() => import('./ApiKeyDialogs.tsx').then(({ NewApiKey: it }) => ({ default: it })))
const RevokeApiKey = lazyPart(() =>
  import('./ApiKeyDialogs.tsx').then(({ RevokeApiKey: it }) => ({ default: it })),
)
const route = getRouteApi('/api-keys')

/** API keys with their permissions, limits and last use. */
export function ApiKeysPage() {
  const { owner = 'me', page = 1, create } = route.useSearch()
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const { data: keys, failure, refetch } = useApiQuery(apiKeysQuery(useApi(), { owner, page }))
  const [created, setCreated] = useState<CreatedApiKey>()
  const [editing, setEditing] = useState<ApiKey>()
  const [revoking, setRevoking] = useState<ApiKey>()

  const openCreate = () => void navigate({ search: (now) => ({ ...now, create: true }) })
  const closeCreate = () => void navigate({ search: withoutDialog, resetScroll: false })
  const refresh = () => cache.invalidateQueries({ queryKey: ['api-keys'] })

  return (
    <Page
      title="API keys"
      lead="A key lets a program call the API as you. Send it in the header X-API-Key, or as a Bearer token."
      aside={
        <Button size="compact-sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={openCreate}>
          Create API key
        </Button>
      }
    >
      <ListTools count={countText(keys?.total)}>
        <OwnerChoice
          what="keys"
          owner={owner}
          onChange={(wanted) => void navigate({ search: wanted === 'all' ? { owner: 'all' } : {} })}
        />
      </ListTools>
      {keys === undefined && failure !== null ? (
        <FailureNotice
          what="The API keys could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <>
          <Surface>
            <ApiKeyTable
              keys={rowsOf(keys)}
              total={keys?.total}
              owner={owner}
              onCreate={openCreate}
              onEdit={setEditing}
              onRevoke={setRevoking}
            />
          </Surface>
          <Pager
            order="oldest first"
            page={page}
            total={keys?.total}
            onPage={(wanted, { replace }) =>
              void navigate({ search: (now) => ({ ...now, page: wanted }), replace })
            }
          />
        </>
      )}
      <Suspense>
        {create === true ? (
          <CreateApiKey
            onClose={closeCreate}
            onCreated={async (key) => {
              await refresh()
              closeCreate()
              setCreated(key)
            }}
          />
        ) : null}
        {created === undefined ? null : <NewApiKey created={created} onDone={() => setCreated(undefined)} />}
        {editing === undefined ? null : (
          <EditApiKey apiKey={editing} onChanged={refresh} onClose={() => setEditing(undefined)} />
        )}
        {revoking === undefined ? null : (
          <RevokeApiKey apiKey={revoking} onRevoked={refresh} onClose={() => setRevoking(undefined)} />
        )}
      </Suspense>
    </Page>
  )
}

function withoutDialog(search: ApiKeySearch): ApiKeySearch {
  const { create: _, ...list } = search
  return list
}

function countText(total: number | undefined): string | undefined {
  if (total === undefined) return undefined
  return total === 1 ? '1 key' : `${total.toLocaleString()} keys`
}

const about: ReadonlyArray<Column<ApiKey>> = [
  { title: 'Name', value: ({ name }) => name, placeholderWidth: 132, cell: ({ name }) => name },
  {
    title: 'Key',
    value: ({ prefix }) => prefix,
    minor: true,
    minWidth: 88,
    placeholderWidth: 96,
    cell: ({ prefix }) => <code>{prefix}…</code>,
  },
  {
    title: 'Scopes',
    value: describeScopes,
    placeholderWidth: 120,
    cell: describeScopes,
  },
  {
    title: 'Limits',
    value: ({ limits }) => describeLimits(limits) || null,
    placeholderWidth: 96,
    cell: ({ limits }) => <span title={limits?.models?.join('\n')}>{describeLimits(limits) || 'None'}</span>,
  },
]

const times: ReadonlyArray<Column<ApiKey>> = [
  {
    title: 'Last used',
    value: ({ last_used_at: at }) => at,
    numeric: true,
    placeholderWidth: 56,
    cell: ({ last_used_at }) => <LastUse at={last_used_at} />,
  },
  {
    title: 'Expires',
    value: ({ expires_at: at }) => at,
    numeric: true,
    placeholderWidth: 56,
    cell: ({ expires_at }) => (expires_at === null ? 'never' : <Expiry at={expires_at} />),
  },
]

function describeScopes({ scopes }: ApiKey): string {
  return scopes === null ? 'All permissions of its owner' : scopes.join(', ')
}

const ownerColumn: Column<ApiKey> = {
  title: 'Owner',
  value: ({ username }) => username,
  minWidth: 72,
  placeholderWidth: 72,
  cell: ({ username }) => username,
}

interface RowActions {
  readonly onEdit: (key: ApiKey) => void
  readonly onRevoke: (key: ApiKey) => void
}

interface ActionsOptions extends RowActions {
  readonly owner: Owner
  /** Whether the user may see the usage of the listed keys. */
  readonly showsUsage: boolean
}

function actionsColumn({ onEdit, onRevoke, owner, showsUsage }: ActionsOptions): Column<ApiKey> {
  return {
    title: 'Actions',
    numeric: true,
    quiet: true,
    placeholderWidth: 96,
    cell: (key) => (
      <div className={styles['actions']}>
        {showsUsage ? <UsageLink apiKey={key} owner={owner} /> : null}
        <RowAction label="Edit" name={key.name} onClick={() => onEdit(key)} />
        <RowAction label="Revoke" name={key.name} onClick={() => onRevoke(key)} />
      </div>
    ),
  }
}

/** The link to the usage of a key. */
function UsageLink({ apiKey: { id, name, user_id }, owner }: { apiKey: ApiKey; owner: Owner }) {
  const search = { key: id, ...(owner === 'all' ? { account: user_id } : {}) }
  return (
    <Button
      size="compact-xs"
      variant="default"
      aria-label={`Usage of ${name}`}
      renderRoot={(props) => <Link to="/usage" search={search} {...props} />}
    >
      Usage
    </Button>
  )
}

interface ApiKeyTableProps extends RowActions {
  /** The number of rows on all pages. */
  readonly total: number | undefined
  readonly keys: readonly ApiKey[] | undefined
  readonly owner: Owner
  readonly onCreate: () => void
}

function ApiKeyTable({ keys, total, owner, onCreate, onEdit, onRevoke }: ApiKeyTableProps) {
  const { data: profile } = useQuery(profileQuery(useApi()))
  const showsUsage = owner === 'me' || profile?.permissions.includes('administer llm') === true
  const columns = useMemo(
    () => [
      ...about,
      ...(owner === 'all' ? [ownerColumn] : []),
      ...times,
      actionsColumn({ onEdit, onRevoke, owner, showsUsage }),
    ],
    [owner, onEdit, onRevoke, showsUsage],
  )

  if (keys?.length === 0) {
    return (
      <EmptyState
        sentence={
          owner === 'me'
            ? 'You have no API keys yet. Create one for a script or a service; you can revoke it at any time.'
            : 'No API keys yet.'
        }
        action={
          <Button size="compact-sm" variant="default" onClick={onCreate}>
            Create your first key
          </Button>
        }
        link={<a href={apiReferencePath}>Open the API reference</a>}
      />
    )
  }
  return (
    <Table
      label="API keys"
      name="main"
      columns={columns}
      rows={keys}
      total={total}
      rowKey={({ id }) => id}
      placeholderRows={3}
    />
  )
}

/** The expiry time of a key, or a note that it has expired. */
function Expiry({ at }: { at: string }) {
  const isOver = useTimedText((now) => (new Date(at) <= now ? 'over' : '')) === 'over'
  return isOver ? (
    <Status tone="warn" word="Expired" title={describeMoment(new Date(at))} />
  ) : (
    <RelativeTime at={at} />
  )
}
