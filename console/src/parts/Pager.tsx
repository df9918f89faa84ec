import { Button } from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'
import { pageSize } from '../api/read-all.ts'
import styles from './Pager.module.css'

interface PagerProps {
  /** Starts at 1. */
  readonly page: number
  /** Undefined until it is loaded. */
  readonly total: number | undefined
  readonly onPage: (page: number, options: { replace: boolean }) => void
}

/** Which rows of how many are shown, and the ways to the others. A list of one page needs none. */
export function Pager({ page, total, onPage }: PagerProps) {
  const last = Math.max(1, Math.ceil((total ?? 0) / pageSize))
  const isBeyond = total !== undefined && page > last
  const leave = useEffectEvent(() => onPage(last, { replace: true }))
  useEffect(() => {
    // The rows of this page were deleted, or it never was.
    if (isBeyond) leave()
  }, [isBeyond])

  if (total === undefined || isBeyond || last === 1) return null
  const from = (page - 1) * pageSize + 1
  const to = Math.min(page * pageSize, total)
  return (
    <nav className={styles['pager']} aria-label="Pagination">
      <span role="status">{`${from}–${to} of ${total}`}</span>
      <span className={styles['ways']}>
        <Button
          size="compact-sm"
          variant="default"
          disabled={page <= 1}
          onClick={() => onPage(page - 1, { replace: false })}
        >
          Previous
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          disabled={page >= last}
          onClick={() => onPage(page + 1, { replace: false })}
        >
          Next
        </Button>
      </span>
    </nav>
  )
}
