import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Status } from '../../parts/Status.tsx'
import { describeCron } from './describe-cron.ts'
import styles from './NextTimes.module.css'
import { NextTimes } from './NextTimes.tsx'
import { previewQuery } from './schedule-queries.ts'

/** Typing is let come to rest before the platform is asked. */
const restMs = 300

/** What an expression means: in words where there are some, and by its next times. */
export function CronPreview({ cron, timezone }: { cron: string; timezone: string }) {
  const [typed] = useDebouncedValue(cron.trim(), restMs)
  const { data, error } = useQuery(previewQuery(useApi(), { cron: typed, timezone }))
  const words = describeCron(typed)
  return (
    <section className={styles['preview']} aria-label="When it would run" aria-live="polite">
      {error !== null ? (
        <Status tone="bad" word={error.message} />
      ) : typed === '' ? (
        <span className={styles['words']}>Write when it is to run.</span>
      ) : data === undefined ? (
        <Skeleton width={200} />
      ) : (
        <>
          <span className={styles['words']}>
            {words ?? 'Its next times'}, {timezone}
          </span>
          <NextTimes runs={data.next_runs} label="Next times" />
        </>
      )}
    </section>
  )
}
