import { Button } from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'
import { pageSize } from '../api/read-all.ts'
import styles from './Pager.module.css'

interface PagerProps {
  /** The accessible name, for pages with several lists. */
  readonly label?: string
  /** The page number, starting at 1. */
  readonly page: number
  /** The order of the list in words, unless the columns show it: the browser cannot sort a list that it has only a page of. */
  readonly order?: string | undefined
  /** The number of rows; undefined until it is loaded. */
  readonly total: number | undefined
  readonly onPage: (page: number, options: { replace: boolean }) => void
}

/** The range of shown rows and the total, with buttons to the other pages. A list of one page has no pager. */
export function Pager({ label = 'Pagination', page, total, order, onPage }: PagerProps) {
  const last = Math.max(1, Math.ceil((total ?? 0) / pageSize))
  const isBeyond = total !== undefined && page > last
  const leave = useEffectEvent(() => onPage(last, { replace: true }))
  useEffect(() => {
    // All rows of this page were deleted, or the page never existed.
    if (isBeyond) leave()
  }, [isBeyond])

  if (total === undefined || isBeyond || last === 1) return null
  const from = (page - 1) * pageSize + 1
  const to = Math.min(page * pageSize, total)
  return (
    <nav className={styles['pager']} aria-label={label}>
      <span role="status">{`${from}–${to} of ${total}${order === undefined ? '' : `, ${order}`}`}</span>
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
