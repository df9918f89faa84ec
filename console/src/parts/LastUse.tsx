import { RelativeTime } from '../time/RelativeTime.tsx'

/** When something was used last; what never was may not be needed. */
export function LastUse({ at }: { at: string | null }) {
  return at === null ? 'never' : <RelativeTime at={at} />
}
