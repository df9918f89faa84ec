import type { Location } from '../../tour.ts'

const sides = ['auto', 'top', 'bottom', 'left', 'right'] as const

/** Every position the tour module knows. */
export const positions: readonly string[] = sides.flatMap((side) => [side, `${side}-start`, `${side}-end`])

/** Where the tour module shows a step: what has no element stands in the middle, and says `auto`. */
export function positionOf(location: Location): string {
  return location === 'center' ? 'auto' : location
}

/** Our place for a position: its side. `auto` beside an element becomes `bottom`, where there is room most often. */
export function locationOf(position: unknown, selector: string): Location {
  if (selector === '') return 'center'
  const side = typeof position === 'string' ? position.replace(/-(?:start|end)$/, '') : ''
  return side === 'top' || side === 'left' || side === 'right' ? side : 'bottom'
}
