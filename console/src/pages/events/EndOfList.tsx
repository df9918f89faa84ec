import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { EventPage } from '../../api/bodies.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import styles from './EventsPage.module.css'

interface EndOfListProps {
  readonly type: string | undefined
  readonly oldestId: number
  readonly hasOlder: boolean
  readonly readOlder: (before: number) => Promise<EventPage>
}

/** What stands below the oldest event listed: the way to older ones, or that there are none. */
export function EndOfList({ type, oldestId, hasOlder, readOlder }: EndOfListProps) {
  const { data: older, error, isPending, mutate } = useMutation({ mutationFn: readOlder })
  const firstOlder = older?.data.at(-1)?.id
  const isListed = firstOlder !== undefined && oldestId <= firstOlder
  useEffect(() => {
    // The button has moved a page further down; whoever pressed it reads on here.
    if (isListed) findRow(firstOlder)?.focus({ preventScroll: true })
  }, [firstOlder, isListed])

  const showOlder = () => {
    if (!isPending) mutate(oldestId)
  }
  return (
    <div className={styles['end']}>
      {error === null ? null : (
        <FailureNotice what="The older events could not be read." error={error} onRetry={showOlder} />
      )}
      {hasOlder && error === null ? (
        <Button size="compact-sm" variant="default" onClick={showOlder}>
          {isPending ? 'Reading older events…' : 'Show older events'}
        </Button>
      ) : null}
      <p role="status">{hasOlder ? null : endText(type, oldestId)}</p>
    </div>
  )
}

function endText(type: string | undefined, oldestId: number): string {
  if (type !== undefined) return `The log has no older event of type ${type}.`
  return oldestId === 1 ? 'The log begins here.' : 'The log begins here; older events are no longer kept.'
}
