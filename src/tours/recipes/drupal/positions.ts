import type { Location } from '../../tour.ts'

const sides = ['auto', 'top', 'bottom', 'left', 'right'] as const

/** The positions of Drupal's tour module. */
export const positions: readonly string[] = sides.flatMap((side) => [side, `${side}-start`, `${side}-end`])

/** The position for the tour module: a step without an element is centred there by `auto`. */
export function positionOf(location: Location): string {
  return location === 'center' ? 'auto' : location
}

/** The location of a step for a position: its side. `auto` with an element becomes `bottom`, which usually has space. */
export function locationOf(position: unknown, selector: string): Location {
  if (selector === '') return 'center'
  const side = typeof position === 'string' ? position.replace(/-(?:start|end)$/, '') : ''
  return side === 'top' || side === 'left' || side === 'right' ? side : 'bottom'
}
