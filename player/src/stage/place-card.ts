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

  const across = acrossOf(element, card)
  const side = alternatives[location].find((candidate) =>
    isInside(candidate, across[candidate], card, screen),
  )
  // An element that fills the window leaves room nowhere, and one outside it has none beside it: the card covers the foot of
  // the window, where it hides least.
  if (side === undefined)
    return { x: Math.max(0, middle), y: Math.max(0, screen.height - card.height - margin), side: null }

  const beside = side === 'left' || side === 'right'
  const along = beside
    ? within(element.y + (element.height - card.height) / 2, card.height, screen.height)
    : within(element.x + (element.width - card.width) / 2, card.width, screen.width)
  return beside ? { x: across[side], y: along, side } : { x: along, y: across[side], side }
}

/** Where a card on each side of an element begins, away from it. */
function acrossOf(element: Rect, card: Size): Readonly<Record<Side, number>> {
  return {
    top: element.y - gap - card.height,
    bottom: element.y + element.height + gap,
    left: element.x - gap - card.width,
    right: element.x + element.width + gap,
  }
}

function isInside(side: Side, begin: number, card: Size, screen: Size): boolean {
  const beside = side === 'left' || side === 'right'
  const end = begin + (beside ? card.width : card.height)
  return begin >= margin && end <= (beside ? screen.width : screen.height) - margin
}

function within(wanted: number, length: number, available: number): number {
  return Math.max(margin, Math.min(wanted, available - length - margin))
}
