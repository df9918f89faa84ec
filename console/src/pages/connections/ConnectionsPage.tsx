import { Button, SegmentedControl } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import '../../theme/mantine-form.css'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import styles from '../../parts/OwnerChoice.module.css'
import { Page } from '../../parts/Page.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { Surface } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, rowsOf, Table } from '../../parts/Table.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { type Entry, type EntryPart, entriesQuery } from './connection-calls.ts'
import { type ConnectionSearch, readConnectionSearch } from './connection-search.ts'
import { describeHosts, kindTitles, momentOf, withoutHosts } from './connection-words.ts'

const AddConnection = lazyPart(() => import('./AddConnection.tsx'))
const ConnectionDrawer = lazyPart(() => import('./ConnectionDrawer.tsx'))
const route = getRouteApi('/connections')

/** The connections and secrets that flows can use. */
export function ConnectionsPage() {
  // Invalid search parameters stay in the URL and are dropped here.
  const { list, page = 1, name: openName, create } = readConnectionSearch({ ...route.useSearch() })
  const part: EntryPart = list === 'secrets' ? 'secret' : 'connection'
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const { data, failure, refetch } = useApiQuery(entriesQuery(useApi(), { part, page }))

  const refresh = () => cache.invalidateQueries({ queryKey: ['connections'] })
  const openCreate = () => void navigate({ search: (now) => ({ ...withoutDialog(now), create: true }) })
  const close = () => void navigate({ search: withoutDialog, resetScroll: false })
  const open = (name: string) =>
    void navigate({ search: (now) => ({ ...withoutDialog(now), name }), resetScroll: false })

  return (
    <Page
      title="Connections"
      lead="Credentials for the HTTP requests of flows: encrypted, sent to allowed hosts only, and never shown again."
      aside={
        <Button size="compact-sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={openCreate}>
          Add {part}
        </Button>
      }
    >
      <ListTools count={countText(part, data?.total)}>
        <SegmentedControl
          className={styles['choice'] ?? ''}
          size="xs"
          aria-label="List"
          value={part}
          onChange={(value) =>
            void navigate({ search: value === 'secret' ? { list: 'secrets' } : {}, replace: true })
          }
          data={[
            { value: 'connection', label: 'Connections' },
            { value: 'secret', label: 'Secrets' },
          ]}
        />
      </ListTools>
      {data === undefined && failure !== null ? (
        <FailureNotice
          what={`The ${part}s could not be loaded.`}
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <>
          <Surface>
            <EntryTable
              part={part}
              entries={rowsOf(data && { data: data.entries, total: data.total })}
              total={data?.total}
              openName={openName}
              onCreate={openCreate}
              onOpen={open}
            />
          </Surface>
          <Pager
            order="by name"
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
          <AddConnection
            key={part}
            part={part}
            onClose={close}
            onAdded={async (name) => {
              await refresh()
              open(name)
            }}
          />
        ) : null}
        {openName === undefined ? null : (
          <ConnectionDrawer
            key={`${part} ${openName}`}
            part={part}
            name={openName}
            listed={data?.entries.find(({ name }) => name === openName)}
            onChanged={refresh}
            onClose={close}
          />
        )}
      </Suspense>
    </Page>
  )
}

function withoutDialog(search: ConnectionSearch): ConnectionSearch {
  const { create: _create, name: _name, ...list } = search
  return list
}

function countText(part: EntryPart, total: number | undefined): string | undefined {
  if (total === undefined) return undefined
  return total === 1 ? `1 ${part}` : `${total.toLocaleString()} ${part}s`
}

const nameColumn: Column<Entry> = {
  title: 'Name',
  value: ({ name }) => name,
  placeholderWidth: 120,
  cell: ({ name }) => name,
}
const kindColumn: Column<Entry> = {
  title: 'Kind',
  value: ({ kind }) => kindTitles[kind ?? 'secret'],
  placeholderWidth: 96,
  cell: ({ kind }) => kindTitles[kind ?? 'secret'],
}
const otherColumns: ReadonlyArray<Column<Entry>> = [
  {
    title: 'Hosts',
    value: ({ allowed_hosts: hosts }) => hosts.join(', '),
    placeholderWidth: 160,
    cell: ({ allowed_hosts: hosts }) =>
      hosts.length === 0 ? (
        <Status tone="warn" word={describeHosts(hosts)} title={withoutHosts} />
      ) : (
        <span title={hosts.join(', ')}>{describeHosts(hosts)}</span>
      ),
  },
  {
    title: 'Shared',
    value: describeShared,
    minor: true,
    placeholderWidth: 48,
    cell: (entry) => describeShared(entry) ?? '–',
  },
  {
    title: 'Last used',
    value: ({ used_at: at }) => at,
    numeric: true,
    placeholderWidth: 56,
    cell: ({ used_at: at }) => (at === null ? 'never' : <RelativeTime at={momentOf(at)} />),
  },
]

function describeShared({ shared, own }: Entry): string | null {
  if (!shared) return null
  return own ? 'By you' : 'With you'
}

const columnsOf: Readonly<Record<EntryPart, ReadonlyArray<Column<Entry>>>> = {
  connection: [nameColumn, kindColumn, ...otherColumns],
  secret: [nameColumn, ...otherColumns],
}

interface EntryTableProps {
  /** The number of rows on all pages. */
  readonly total: number | undefined
  readonly part: EntryPart
  readonly entries: readonly Entry[] | undefined
  readonly openName: string | undefined
  readonly onCreate: () => void
  readonly onOpen: (name: string) => void
}

function EntryTable({ part, entries, total, openName, onCreate, onOpen }: EntryTableProps) {
  if (entries?.length === 0) {
    return (
      <EmptyState
        sentence={
          part === 'secret'
            ? 'No secrets yet. Add one to write {{secrets.name}} in place of a credential.'
            : 'No connections yet. Add one to give an HTTP step credentials without writing them into the flow.'
        }
        action={
          <Button size="compact-sm" variant="default" onClick={onCreate}>
            Add your first {part}
          </Button>
        }
        link={<a href={apiReferencePath}>Manage them through the API</a>}
      />
    )
  }
  return (
    <Table
      label={part === 'secret' ? 'Secrets' : 'Connections'}
      name="main"
      columns={columnsOf[part]}
      rows={entries}
      total={total}
      // A shared one of another account may have the name of an own one.
      rowKey={({ name, own }) => (own ? name : `${name} (shared)`)}
      onOpen={({ name }) => onOpen(name)}
      isOpen={({ name }) => name === openName}
    />
  )
}
