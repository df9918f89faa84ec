import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createHeartbeats } from './event-stream.ts'

test('each stream beats at its interval until it is disposed', async () => {
  const heartbeats = createHeartbeats()
  const beats = [0, 0]
  const [one, other] = beats.map((_, index) =>
    heartbeats.add(() => {
      beats[index] = (beats[index] ?? 0) + 1
    }, 30),
  )
  while (Math.min(...beats) < 3) await setTimeout(5)
  expect(Math.abs((beats[0] ?? 0) - (beats[1] ?? 0))).toBeLessThanOrEqual(1)
  one?.[Symbol.dispose]()
  const before = beats[0]
  const goal = (beats[1] ?? 0) + 2
  while ((beats[1] ?? 0) < goal) await setTimeout(5)
  expect(beats[0]).toBe(before)
  other?.[Symbol.dispose]()
  other?.[Symbol.dispose]()
  heartbeats.add(() => {}, 30)[Symbol.dispose]()
})
