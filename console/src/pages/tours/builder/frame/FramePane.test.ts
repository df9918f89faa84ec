import { expect, test } from 'vitest'
import { shapeOf } from './FramePane.tsx'

test('a page takes all the space there is', () => {
  expect(shapeOf('fit', 600)).toEqual({ width: '100%', height: '100%' })
})

test('a page of a device has its width where there is space for it', () => {
  expect(shapeOf('phone', 600)).toEqual({ width: 390, height: '100%' })
})

test('and is made smaller where there is not, without losing height', () => {
  expect(shapeOf('desktop', 640)).toMatchObject({ width: 1280, height: '200%', transform: 'scale(0.5)' })
})

test('nothing is scaled before the space is known', () => {
  expect(shapeOf('desktop', 0)).toEqual({ width: '100%', height: '100%' })
})
