import { rectOf } from '../inner-roots.ts'
import type { Rect } from '../protocol.ts'

/**
 * Reports the rectangle of an element in each animation frame in which it, the visible part of the page or the size of the
 * card beside it changed; null when the element is gone. `find` is called again when the page has replaced the element.
 */
export function followElement(
  find: () => Element | null,
  onMove: (rect: Rect | null) => void,
  card?: HTMLElement,
): { stop(): void } {
  let element = find()
  let last = ''
  let frame = 0

  function check(): void {
    if (element === null || !element.isConnected || element.getClientRects().length === 0) element = find()
    const rect = element === null ? null : rectOf(element)
    const now = JSON.stringify([rect, visibleArea(), card?.offsetWidth, card?.offsetHeight])
    if (now !== last) onMove(rect)
    last = now
    frame = requestAnimationFrame(check)
  }

  check()
  return { stop: () => cancelAnimationFrame(frame) }
}

/**
 * The part of the window that is visible. A phone shows a part of a page that is wider than its screen, or that the visitor
 * has enlarged; rectangles of elements are relative to the whole.
 */
export function visibleArea(): Rect {
  const { visualViewport: visual, innerWidth: width, innerHeight: height } = window
  if (visual === null) return { x: 0, y: 0, width, height }
  return { x: visual.offsetLeft, y: visual.offsetTop, width: visual.width, height: visual.height }
}
