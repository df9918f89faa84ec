import { Button } from '@mantine/core'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { AuditEntry } from '../../api/bodies.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import styles from './EndOfAudit.module.css'

interface EndOfAuditProps {
  readonly log: UseInfiniteQueryResult<InfiniteData<unknown>>
  readonly entries: readonly AuditEntry[]
}

/** What stands below the oldest entry listed: the way to older ones, or that there are none. */
export function EndOfAudit({ log, entries }: EndOfAuditProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = log
  const [askedAt, setAskedAt] = useState<number>()
  const firstOlder = askedAt === undefined ? undefined : entries[askedAt]?.id
  useEffect(() => {
    // The button has moved a page further down; whoever pressed it reads on here.
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
        <FailureNotice what="The older entries could not be read." error={error} onRetry={showOlder} />
      ) : hasNextPage ? (
        <Button size="compact-sm" variant="default" onClick={showOlder}>
          {isFetchingNextPage ? 'Reading older entries…' : 'Show older entries'}
        </Button>
      ) : null}
      <p role="status">{hasNextPage ? null : 'There are no older entries.'}</p>
    </div>
  )
}
