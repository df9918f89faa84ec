import { useTimedText } from './clock.ts'
import { describeDistance, describeMoment } from './describe-time.ts'

/** A moment as its distance from now; hovering tells it exactly. */
export function RelativeTime({ at }: { at: string }) {
  const moment = new Date(at)
  const text = useTimedText((now) => describeDistance(moment, now))
  return (
    <time dateTime={at} title={describeMoment(moment)}>
      {text}
    </time>
  )
}

/** When something was used last; what never was may not be needed. */
export function LastUse({ at }: { at: string | null }) {
  return at === null ? 'never' : <RelativeTime at={at} />
}
