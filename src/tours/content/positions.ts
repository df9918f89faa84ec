import type { Location } from '../tour.ts'

/** The position for the tour module: a step without an element is centred there by `auto`. */
export function positionOf({
  location,
  position,
}: {
  readonly location: Location
  readonly position: string | null
}): string {
  return position ?? (location === 'center' ? 'auto' : location)
}

/** The location of a step for a position: its side. `auto` with an element becomes `bottom`, which usually has space. */
export function locationOf(position: unknown, selector: string): Location {
  if (selector === '') return 'center'
  const side = typeof position === 'string' ? position.replace(/-(?:start|end)$/, '') : ''
  return side === 'top' || side === 'left' || side === 'right' ? side : 'bottom'
}

/** The position of a step if it says more than its location and does not contradict it; else null. */
export function precisePosition(position: unknown, location: Location, selector: string): string | null {
  if (typeof position !== 'string' || locationOf(position, selector) !== location) return null
  return position === positionOf({ location, position: null }) ? null : position
}
