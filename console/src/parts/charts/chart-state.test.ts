import { expect, test } from 'vitest'
import { moveByKey, placeAt, selectedIn, zoomInto } from './chart-state.ts'

const press = (key: string, shiftKey = false) => ({ key, shiftKey })

test.each([
  ['ArrowLeft', {}, { place: 3 }],
  ['ArrowRight', { place: 1 }, { place: 2 }],
  ['ArrowRight', { place: 4 }, { place: 4 }],
  ['Home', { place: 3 }, { place: 0 }],
  ['End', { place: 0 }, { place: 4 }],
])('%s moves from %j to %j', (key, from, to) => {
  expect(moveByKey(from, press(key), 5)).toEqual(to)
})

test('Shift selects from the first position on, and a move without it ends the selection', () => {
  const selecting = moveByKey({ place: 3 }, press('ArrowLeft', true), 5)
  expect(selecting).toEqual({ place: 2, anchor: 3 })
  expect(moveByKey({ place: 2, anchor: 3 }, press('ArrowLeft', true), 5)).toEqual({ place: 1, anchor: 3 })
  expect(moveByKey({ place: 2, anchor: 3 }, press('ArrowLeft'), 5)).toEqual({ place: 1 })
})

test('other keys, and an empty chart, move nothing', () => {
  expect(moveByKey({ place: 1 }, press('a'), 5)).toBeUndefined()
  expect(moveByKey({}, press('Home'), 0)).toBeUndefined()
})

test('a selection has two ends, in order of time', () => {
  expect(selectedIn({ place: 1, anchor: 4 })).toEqual({ first: 1, last: 4 })
  expect(selectedIn({ place: 4, anchor: 1 })).toEqual({ first: 1, last: 4 })
  expect(selectedIn({ place: 4, anchor: 4 })).toBeUndefined()
  expect(selectedIn({ place: 4 })).toBeUndefined()
})

test('a zoom into a zoomed chart is relative to all positions', () => {
  expect(zoomInto(undefined, { first: 2, last: 5 })).toEqual({ first: 2, last: 5 })
  expect(zoomInto({ first: 10, last: 20 }, { first: 2, last: 5 })).toEqual({ first: 12, last: 15 })
})

test('the position under the pointer stays inside the plot', () => {
  expect([-5, 0, 49, 50, 99, 140].map((x) => placeAt(x, 10, 100))).toEqual([0, 0, 4, 5, 9, 9])
})
