import { expect, test } from 'vitest'
import { createAilingReceivers } from './ailing-receivers.ts'

test('a receiver that was slow gets four places until it is quick again', () => {
  const receivers = createAilingReceivers()
  const first = Array.from({ length: 20 }, () => receivers.enter('slow'))
  expect(first.every((leave) => leave !== undefined)).toBe(true)
  for (const leave of first) leave?.(5000)
  const second = Array.from({ length: 6 }, () => receivers.enter('slow'))
  expect(second.map((leave) => leave !== undefined)).toEqual([true, true, true, true, false, false])
  expect(receivers.enter('other')).toBeDefined()
  second[0]?.(10)
  expect(Array.from({ length: 6 }, () => receivers.enter('slow')).every((it) => it !== undefined)).toBe(true)
})
