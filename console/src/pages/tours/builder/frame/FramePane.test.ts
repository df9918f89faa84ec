import { expect, test } from 'vitest'
import { shapeOf } from './FramePane.tsx'

test('a page without a chosen device fills the available space', () => {
  expect(shapeOf('fit', 600)).toEqual({ width: '100%', height: '100%' })
})

test('a page of a device has the width of the device where there is space for it', () => {
  expect(shapeOf('phone', 600)).toEqual({ width: 390, height: '100%' })
})

test('a page that is too wide is scaled down without losing height', () => {
  expect(shapeOf('desktop', 640)).toMatchObject({ width: 1280, height: '200%', transform: 'scale(0.5)' })
})

test('the page is not scaled before the available space is known', () => {
  expect(shapeOf('desktop', 0)).toEqual({ width: '100%', height: '100%' })
})
