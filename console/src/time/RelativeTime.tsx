import { useTimedText } from './clock.ts'
import { describeDistance, describeMoment } from './describe-time.ts'

/** A time relative to now; hovering shows the exact time. */
export function RelativeTime({ at }: { at: string }) {
  const moment = new Date(at)
  const text = useTimedText((now) => describeDistance(moment, now))
  return (
    <time dateTime={at} title={describeMoment(moment)}>
      {text}
    </time>
  )
}

/** The time of the last use; an item that was never used may be superfluous. */
export function LastUse({ at }: { at: string | null }) {
  return at === null ? 'never' : <RelativeTime at={at} />
}
