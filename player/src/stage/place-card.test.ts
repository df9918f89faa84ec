import { describe, expect, test } from 'vitest'
import { placeCard } from './place-card.ts'

const screen = { width: 1000, height: 800 }
const card = { width: 300, height: 200 }
const element = { x: 400, y: 300, width: 100, height: 50 }

describe('placing a card', () => {
  test.each([
    ['bottom', { x: 300, y: 364, side: 'bottom' }],
    ['top', { x: 300, y: 86, side: 'top' }],
    ['left', { x: 86, y: 225, side: 'left' }],
    ['right', { x: 514, y: 225, side: 'right' }],
    ['center', { x: 350, y: 300, side: null }],
  ] as const)('%s of an element with space on all sides', (location, expected) => {
    expect(placeCard({ element, card, screen, location })).toEqual(expected)
  })

  test.each([
    ['bottom', 'bottom-start', false, 400],
    ['bottom', 'bottom-end', false, 200],
    ['bottom', 'bottom-start', true, 200],
    ['bottom', 'bottom-end', true, 400],
    ['bottom', 'auto', false, 300],
    ['bottom', null, true, 300],
  ] as const)('%s, aligned by %s, right to left: %s', (location, position, isRtl, x) => {
    expect(placeCard({ element, card, screen, location, position, isRtl })).toMatchObject({ x, y: 364 })
  })

  test.each([
    ['left-start', 300],
    ['left-end', 150],
  ])('beside an element, aligned by %s', (position, y) => {
    expect(placeCard({ element, card, screen, location: 'left', position, isRtl: true }).y).toBe(y)
  })

  test('moves to the opposite side without enough space', () => {
    const low = { ...element, y: 700 }
    expect(placeCard({ element: low, card, screen, location: 'bottom' }).side).toBe('top')
  })

  test('stays inside the window beside an element at its edge', () => {
    const corner = { x: 980, y: 300, width: 20, height: 20 }
    expect(placeCard({ element: corner, card, screen, location: 'bottom' }).x).toBe(688)
  })

  test('moves below on a screen that is too narrow for the sides', () => {
    const phone = { width: 360, height: 640 }
    const small = { width: 336, height: 180 }
    const row = { x: 16, y: 100, width: 328, height: 40 }
    expect(placeCard({ element: row, card: small, screen: phone, location: 'right' })).toEqual({
      x: 12,
      y: 154,
      side: 'bottom',
    })
  })

  test('covers the bottom of an element that fills the window', () => {
    const all = { x: 0, y: 0, width: 1000, height: 800 }
    expect(placeCard({ element: all, card, screen, location: 'top' })).toEqual({ x: 350, y: 588, side: null })
  })

  test.each([
    ['right', { x: -9999, y: 300, width: 20, height: 20 }],
    ['left', { x: 5000, y: 300, width: 20, height: 20 }],
    ['top', { x: 400, y: 5000, width: 20, height: 20 }],
    ['bottom', { x: 400, y: -700, width: 20, height: 20 }],
  ] as const)('is visible %s of an element outside the window', (location, outside) => {
    const { x, y } = placeCard({ element: outside, card, screen, location })
    expect(x).toBeGreaterThanOrEqual(0)
    expect(x).toBeLessThanOrEqual(700)
    expect(y).toBeGreaterThanOrEqual(0)
    expect(y).toBeLessThanOrEqual(600)
  })

  test('never begins outside a window smaller than itself', () => {
    const tiny = { width: 200, height: 100 }
    expect(placeCard({ element: null, card, screen: tiny, location: 'center' })).toEqual({
      x: 0,
      y: 0,
      side: null,
    })
  })
})
