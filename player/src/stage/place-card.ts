import type { Rect, TipLocation } from '../protocol.ts'

export interface Size {
  readonly width: number
  readonly height: number
}

/** Where a card stands: its corner, and the side of its element it is on; null is the middle or the foot of the window. */
export interface CardPlace {
  readonly x: number
  readonly y: number
  readonly side: Side | null
}

type Side = Exclude<TipLocation, 'center'>

/** Between element and card, and between card and window. */
const gap = 14
const margin = 12

const alternatives: Readonly<Record<Side, readonly Side[]>> = {
  top: ['top', 'bottom', 'right', 'left'],
  bottom: ['bottom', 'top', 'right', 'left'],
  left: ['left', 'right', 'bottom', 'top'],
  right: ['right', 'left', 'bottom', 'top'],
}

/** Puts a card beside its element, on the wanted side if there is room, and always inside the window. */
export function placeCard(options: {
  readonly element: Rect | null
  readonly card: Size
  readonly screen: Size
  readonly location: TipLocation
}): CardPlace {
  const { element, card, screen, location } = options
  const middle = (screen.width - card.width) / 2
  if (element === null || location === 'center')
    return { x: Math.max(0, middle), y: Math.max(0, (screen.height - card.height) / 2), side: null }

  const side = alternatives[location].find((candidate) => hasRoom(candidate, element, card, screen))
  // An element that fills the window leaves room nowhere: the card covers its foot, where it hides least.
  if (side === undefined)
    return { x: Math.max(0, middle), y: Math.max(0, screen.height - card.height - margin), side: null }

  const beside = side === 'left' || side === 'right'
  const along = beside
    ? within(element.y + (element.height - card.height) / 2, card.height, screen.height)
    : within(element.x + (element.width - card.width) / 2, card.width, screen.width)
  const across = {
    top: element.y - gap - card.height,
    bottom: element.y + element.height + gap,
    left: element.x - gap - card.width,
    right: element.x + element.width + gap,
  }[side]
  return beside ? { x: across, y: along, side } : { x: along, y: across, side }
}

function hasRoom(side: Side, element: Rect, card: Size, screen: Size): boolean {
  const room = {
    top: element.y,
    bottom: screen.height - element.y - element.height,
    left: element.x,
    right: screen.width - element.x - element.width,
  }[side]
  const needed = (side === 'left' || side === 'right' ? card.width : card.height) + gap + margin
  return room >= needed
}

function within(wanted: number, length: number, available: number): number {
  return Math.max(margin, Math.min(wanted, available - length - margin))
}
