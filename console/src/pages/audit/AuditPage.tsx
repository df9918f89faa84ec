import { ActionIcon, Button, NativeSelect } from '@mantine/core'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import {
  type InfiniteData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, useEffect, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { type AuditFilter, auditQuery } from '../../api/audit-query.ts'
import type { AuditEntry } from '../../api/responses.ts'
import { useLastFailure } from '../../api/use-api-query.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { Page } from '../../parts/Page.tsx'
import { Surface } from '../../parts/Section.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import styles from './AuditPage.module.css'
import { type AuditSearch, readAuditSearch } from './audit-search.ts'
import '../../theme/mantine-form.css'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { userQuery } from '../../api/people-queries.ts'
import { EmptyState } from '../../parts/EmptyState.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, newestFirst, Table } from '../../parts/Table.tsx'
import { lazyPart } from '../../shell/loading/lazy-part.tsx'
import { apiReferencePath } from '../../shell/pages.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { auditTypes, describeType } from './audit-types.ts'

const AuditDrawer = lazyPart(() => import('./AuditDrawer.tsx'))
const route = getRouteApi('/audit')

/** Changes to accounts and credentials, newest first. */
export function AuditPage() {
  const { type, account, entry: openId } = route.useSearch()
  const navigate = route.useNavigate()
  const log = useInfiniteQuery(auditQuery(useApi(), { type, account }))
  const { data, refetch } = log
  const failure = useLastFailure(log)
  const entries = data?.pages.flatMap((page) => page.data)

  const filterBy = (wanted: AuditSearch) => void navigate({ search: wanted, replace: true })
  const openEntry = (id: number | undefined) =>
    void navigate({
      search: (now) => ({ ...withoutEntry(now), ...(id === undefined ? {} : { entry: id }) }),
      replace: openId !== undefined,
      resetScroll: false,
    })

  return (
    <Page
      title="Audit log"
      lead="Sign-ins, failed sign-ins and every change to access. Entries cannot be edited or deleted."
      aside={
        <ActionIcon size={28} aria-label="Refresh" title="Refresh" onClick={() => void refetch()}>
          <IconRefresh size={16} stroke={1.75} aria-hidden />
        </ActionIcon>
      }
    >
      <ListTools count={countText(entries?.length, data?.pages[0]?.total)}>
        <AuditFilters type={type} account={account} onChange={filterBy} />
      </ListTools>
      {entries === undefined && failure !== null ? (
        <FailureNotice
          what="The audit log could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <div>
          <Surface>
            <AuditTable
              entries={entries}
              openId={openId}
              isFiltered={type !== undefined || account !== undefined}
              onOpen={openEntry}
              onClear={() => filterBy({})}
              onRefresh={() => void refetch()}
            />
          </Surface>
          {entries === undefined || entries.length === 0 ? null : <EndOfAudit log={log} entries={entries} />}
        </div>
      )}
      <Suspense>
        {openId === undefined || entries === undefined ? null : (
          <AuditDrawer id={openId} entries={entries} onClose={() => openEntry(undefined)} />
        )}
      </Suspense>
    </Page>
  )
}

function countText(shown: number | undefined, total: number | undefined): string | undefined {
  if (shown === undefined || total === undefined) return undefined
  if (shown >= total) return total === 1 ? '1 entry' : `${total.toLocaleString()} entries`
  return `Newest ${shown.toLocaleString()} of ${total.toLocaleString()}`
}

function withoutEntry(search: AuditSearch): AuditSearch {
  const { entry: _, ...filter } = search
  return filter
}

interface EndOfAuditProps {
  readonly log: UseInfiniteQueryResult<InfiniteData<unknown>>
  readonly entries: readonly AuditEntry[]
}

/** The end of the list: a button for older entries, or a note that there are none. */
function EndOfAudit({ log, entries }: EndOfAuditProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = log
  const [askedAt, setAskedAt] = useState<number>()
  const firstOlder = askedAt === undefined ? undefined : entries[askedAt]?.id
  useEffect(() => {
    // The button moved down by a page; the focus goes to the first added row.
    if (firstOlder !== undefined) findRow(firstOlder)?.focus({ preventScroll: true })
  }, [firstOlder])

  const showOlder = () => {
    if (isFetchingNextPage) return
    setAskedAt(entries.length)
    void fetchNextPage()
  }
  return (
    <div className={styles['end']}>
      {isFetchNextPageError && error !== null ? (
        <FailureNotice what="The older entries could not be loaded." error={error} onRetry={showOlder} />
      ) : hasNextPage ? (
        <Button size="compact-sm" variant="default" onClick={showOlder}>
          {isFetchingNextPage ? 'Loading older entries…' : 'Show older entries'}
        </Button>
      ) : null}
      <p role="status">{hasNextPage ? null : 'There are no older entries.'}</p>
    </div>
  )
}

interface AuditFiltersProps extends AuditFilter {
  readonly onChange: (filter: AuditSearch) => void
}

const choices = [
  { value: '', label: 'All types' },
  ...Object.entries(auditTypes).map(([value, { title }]) => ({ value, label: title })),
]

/** Filters the log by entry type, and by account when the link names one. */
function AuditFilters({ type, account, onChange }: AuditFiltersProps) {
  return (
    <>
      <NativeSelect
        data-filter
        size="sm"
        aria-label="Entry type"
        data={choices}
        value={type ?? ''}
        onChange={(change) => onChange(readAuditSearch({ type: change.currentTarget.value, account }))}
      />
      {account === undefined ? null : (
        <AccountFilter account={account} onClear={() => onChange(type === undefined ? {} : { type })} />
      )}
    </>
  )
}

function AccountFilter({ account, onClear }: { account: string; onClear: () => void }) {
  // A deleted account has no name; its id still finds its entries.
  const { data: user } = useQuery(userQuery(useApi(), account))
  return (
    <Button
      size="sm"
      variant="default"
      justify="space-between"
      rightSection={<IconX size={14} aria-hidden />}
      aria-label={`Account: ${user?.username ?? account}. Show all accounts`}
      onClick={onClear}
    >
      Account: {user?.username ?? `${account.slice(0, 8)}…`}
    </Button>
  )
}

/** An empty cell, hidden on narrow screens. */
const none = (
  <span className={styles['none']} data-none>
    –
  </span>
)

const columns: ReadonlyArray<Column<AuditEntry>> = [
  { title: 'Event', placeholderWidth: 132, cell: ({ type }) => <What type={type} /> },
  {
    title: 'Account',
    minWidth: 72,
    placeholderWidth: 72,
    cell: ({ username, account }) => username ?? (account === null ? none : <Gone id={account} />),
  },
  {
    title: 'Actor',
    minWidth: 72,
    placeholderWidth: 72,
    cell: ({ by_username, by }) => by_username ?? (by === null ? none : <Gone id={by} />),
  },
  { title: 'Subject', placeholderWidth: 96, cell: (entry) => aboutOf(entry) ?? none },
  { title: 'IP address', minor: true, minWidth: 80, placeholderWidth: 72, cell: ({ ip }) => ip ?? none },
  {
    title: 'Time',
    fixedOrder: newestFirst,
    numeric: true,
    placeholderWidth: 56,
    cell: ({ created_at }) => <RelativeTime at={created_at} />,
  },
]

function What({ type }: { type: string }) {
  const { title, tone } = describeType(type)
  return tone === undefined ? title : <Status tone={tone} word={title} />
}

/** A deleted account, shown by its id. */
function Gone({ id }: { id: string }) {
  return (
    <span className={styles['none']} title={id}>
      deleted account
    </span>
  )
}

/** The details of an entry: the name of the key, client or role, the change, or the reason of a failure. */
function aboutOf({ data: { name, label, changed, reason } }: AuditEntry): string | undefined {
  const words = Array.isArray(changed) ? changed.join(', ') : reason
  if (typeof words === 'string') return words.replaceAll('_', ' ')
  return [name, label].find((told) => typeof told === 'string')
}

interface AuditTableProps {
  readonly entries: readonly AuditEntry[] | undefined
  readonly openId: number | undefined
  readonly isFiltered: boolean
  readonly onOpen: (id: number) => void
  readonly onClear: () => void
  readonly onRefresh: () => void
}

function AuditTable({ entries, openId, isFiltered, onOpen, onClear, onRefresh }: AuditTableProps) {
  if (entries?.length === 0) {
    return (
      <EmptyState
        sentence={isFiltered ? 'No entries match.' : 'No entries yet.'}
        action={
          <Button size="compact-sm" variant="default" onClick={isFiltered ? onClear : onRefresh}>
            {isFiltered ? 'Show all types' : 'Check again'}
          </Button>
        }
        link={<a href={apiReferencePath}>Read the log through the API</a>}
      />
    )
  }
  return (
    <Table
      label="Audit log"
      hasFilter={false}
      columns={columns}
      rows={entries}
      rowKey={({ id }) => id}
      placeholderRows={10}
      onOpen={({ id }) => onOpen(id)}
      isOpen={({ id }) => id === openId}
    />
  )
}
