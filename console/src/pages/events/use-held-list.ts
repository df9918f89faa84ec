import { useWindowScroll } from '@mantine/hooks'
import { useState } from 'react'
import type { PlatformEvent } from '../../api/bodies.ts'

/** A list that moves under somebody's eyes is unreadable: it stands still as soon as they scroll, open a row or say so. */
export function useHeldList(events: readonly PlatformEvent[] | undefined, held: boolean) {
  const newest = events?.[0]?.id
  const [heldAt, setHeldAt] = useState<number>()
  if (held && heldAt === undefined && newest !== undefined) setHeldAt(newest)
  if (!held && heldAt !== undefined) setHeldAt(undefined)
  const shown = heldAt === undefined ? events : events?.filter(({ id }) => id <= heldAt)
  return { shown, newCount: (events?.length ?? 0) - (shown?.length ?? 0) }
}

/** Whether the page has been scrolled away from its top. */
export function useScrolledAway(): boolean {
  const [{ y }] = useWindowScroll()
  return y > 8
}
