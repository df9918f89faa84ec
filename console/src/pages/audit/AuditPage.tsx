import { ActionIcon } from '@mantine/core'
import IconRefresh from '@tabler/icons-react/dist/esm/icons/IconRefresh.mjs'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useApi } from '../../api/api-context.ts'
import { auditQuery } from '../../api/audit-query.ts'
import { useStandingFailure } from '../../api/use-answer.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { ListTools } from '../../parts/ListTools.tsx'
import { Page } from '../../parts/Page.tsx'
import { Surface } from '../../parts/Section.tsx'
import { AuditFilters } from './AuditFilters.tsx'
import { AuditTable } from './AuditTable.tsx'
import type { AuditSearch } from './audit-search.ts'
import { EndOfAudit } from './EndOfAudit.tsx'

const AuditDrawer = lazy(() => import('./AuditDrawer.tsx'))
const route = getRouteApi('/audit')

/** What happened to accounts and credentials, newest first. */
export function AuditPage() {
  const { type, account, entry: openId } = route.useSearch()
  const navigate = route.useNavigate()
  const log = useInfiniteQuery(auditQuery(useApi(), { type, account }))
  const { data, refetch } = log
  const failure = useStandingFailure(log)
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
      lead="Sign-ins, failed ones, and every change to what gives access. Entries are only ever added."
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
          what="The audit log could not be read."
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
