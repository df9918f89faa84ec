import type { Rect } from '../protocol.ts'

/**
 * Tells where an element is in each frame in which that changed, wherever it is scrolled or moved to; null when it is gone.
 * `find` is asked again when the page has put another element in its place.
 */
export function followElement(
  find: () => Element | null,
  onMove: (rect: Rect | null) => void,
): { stop(): void } {
  let element = find()
  let last = ''
  let frame = 0

  function look(): void {
    if (element === null || !element.isConnected || element.getClientRects().length === 0) element = find()
    const rect = element === null ? null : toRect(element.getBoundingClientRect())
    const now = JSON.stringify([rect, window.innerWidth, window.innerHeight])
    if (now !== last) onMove(rect)
    last = now
    frame = requestAnimationFrame(look)
  }

  look()
  return { stop: () => cancelAnimationFrame(frame) }
}

export function toRect({ x, y, width, height }: DOMRect): Rect {
  return { x, y, width, height }
}
