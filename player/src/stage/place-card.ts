import type { Rect, TipLocation } from '../protocol.ts'

export interface Size {
  readonly width: number
  readonly height: number
}

/** The position of a card, and the side of its element; null: the middle or the bottom of the window. */
export interface CardPosition {
  readonly x: number
  readonly y: number
  readonly side: Side | null
}

type Side = Exclude<TipLocation, 'center'>

/** The distance between element and card, and between card and window. */
const gap = 14
const margin = 12

const alternatives: Readonly<Record<Side, readonly Side[]>> = {
  top: ['top', 'bottom', 'right', 'left'],
  bottom: ['bottom', 'top', 'right', 'left'],
  left: ['left', 'right', 'bottom', 'top'],
  right: ['right', 'left', 'bottom', 'top'],
}

/** Positions a card next to its element, on the preferred side if there is space, and always inside the window. */
export function placeCard(options: {
  readonly element: Rect | null
  readonly card: Size
  readonly screen: Size
  readonly location: TipLocation
  /** Such as `top-start`: aligns the card to the start of the element. */
  readonly position?: string | null | undefined
  /** Whether lines run from right to left, so that they start at the right. */
  readonly isRtl?: boolean
}): CardPosition {
  const { element, card, screen, location, position, isRtl = false } = options
  const middle = (screen.width - card.width) / 2
  if (element === null || location === 'center')
    return { x: Math.max(0, middle), y: Math.max(0, (screen.height - card.height) / 2), side: null }

  const across = acrossOf(element, card)
  const side = alternatives[location].find((candidate) =>
    isInside(candidate, across[candidate], card, screen),
  )
  // No side has space when the element fills the window or is outside it: the card covers the bottom of the window, where
  // it hides least.
  if (side === undefined)
    return { x: Math.max(0, middle), y: Math.max(0, screen.height - card.height - margin), side: null }

  const beside = side === 'left' || side === 'right'
  const share = shareBefore(position, isRtl && !beside)
  const along = beside
    ? within(element.y + (element.height - card.height) * share, card.height, screen.height)
    : within(element.x + (element.width - card.width) * share, card.width, screen.width)
  return beside ? { x: across[side], y: along, side } : { x: along, y: across[side], side }
}

/** The share of the free space before the card: none at the start, all at the end, half in the middle. */
function shareBefore(position: string | null | undefined, isReversed: boolean): number {
  if (position?.endsWith('-start')) return isReversed ? 1 : 0
  if (position?.endsWith('-end')) return isReversed ? 0 : 1
  return 0.5
}

/** The start of the card on each side of an element. */
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

function within(preferred: number, length: number, available: number): number {
  return Math.max(margin, Math.min(preferred, available - length - margin))
}
