import type { Rect } from '../protocol.ts'

/** Draws a box around a place on the screen. */
export function drawAround(box: HTMLElement, rect: Rect, padding: number): void {
  box.style.width = `${rect.width + padding * 2}px`
  box.style.height = `${rect.height + padding * 2}px`
  box.style.translate = `${rect.x - padding}px ${rect.y - padding}px`
}
