import { Button } from '@mantine/core'
import { useEffect, useEffectEvent, useRef } from 'react'
import styles from './EndOfList.module.css'

export interface EndOfListProps {
  readonly shown: number | undefined
  readonly sortedAmong: number | null
  readonly isLoading: boolean
  /** The next rows could not be loaded: only the button tries again. */
  readonly hasFailed: boolean
  /** Loads the next rows; undefined when all are loaded. */
  readonly onMore: (() => void) | undefined
}

/** So far below the window the next rows are loaded. */
const loadAhead = '800px'

/** What follows the last loaded row. Coming near it loads the next rows, and so does its button. */
export function EndOfList({ shown, sortedAmong, isLoading, hasFailed, onMore }: EndOfListProps) {
  const end = useRef<HTMLDivElement>(null)
  const hasMore = onMore !== undefined
  const loadMore = useEffectEvent(() => onMore?.())
  useEffect(() => {
    if (!hasMore || isLoading || hasFailed || end.current === null) return undefined
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) loadMore()
      },
      { rootMargin: `0px 0px ${loadAhead}` },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
    // Observed anew after each page, which may end within the window, too.
  }, [hasMore, isLoading, hasFailed])
  if (shown === undefined || shown === 0) return null
  return (
    <div ref={end} className={styles['end']}>
      <span>
        {shown === 1 ? '1 execution' : `${shown.toLocaleString()} executions`}
        {hasMore ? ' loaded' : ''}
        {hasFailed ? '. The next ones could not be loaded.' : ''}
        {sortedAmong === null ? '' : `, sorted among the newest ${sortedAmong.toLocaleString()}`}
      </span>
      {hasMore ? (
        <Button size="compact-sm" variant="default" loading={isLoading} onClick={onMore}>
          Load more
        </Button>
      ) : null}
    </div>
  )
}
