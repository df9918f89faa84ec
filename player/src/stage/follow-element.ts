import type { Rect } from '../protocol.ts'

/**
 * Reports the rectangle of an element in each animation frame in which it changed; null when it is gone. `find` is called
 * again when the page has replaced the element.
 */
export function followElement(
  find: () => Element | null,
  onMove: (rect: Rect | null) => void,
): { stop(): void } {
  let element = find()
  let last = ''
  let frame = 0

  function check(): void {
    if (element === null || !element.isConnected || element.getClientRects().length === 0) element = find()
    const rect = element === null ? null : toRect(element.getBoundingClientRect())
    const now = JSON.stringify([rect, window.innerWidth, window.innerHeight])
    if (now !== last) onMove(rect)
    last = now
    frame = requestAnimationFrame(check)
  }

  check()
  return { stop: () => cancelAnimationFrame(frame) }
}

export function toRect({ x, y, width, height }: DOMRect): Rect {
  return { x, y, width, height }
}
