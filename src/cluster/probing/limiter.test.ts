import { describe, expect, test } from 'vitest'
import { createLimiter } from './limiter.ts'

describe('the limiter', () => {
  test('runs no more tasks at once than it may, and all of them in order', async () => {
    const inTurn = createLimiter(2)
    const started: number[] = []
    let running = 0
    let most = 0
    await Promise.all(
      [0, 1, 2, 3, 4, 5].map((number) =>
        inTurn(async () => {
          started.push(number)
          running += 1
          most = Math.max(most, running)
          await new Promise((resolve) => setImmediate(resolve))
          running -= 1
        }),
      ),
    )
    expect(most).toBe(2)
    expect(started).toEqual([0, 1, 2, 3, 4, 5])
  })

  test('gives the place on when a task fails', async () => {
    const inTurn = createLimiter(1)
    const failing = inTurn(async () => {
      throw new Error('no')
    })
    const next = inTurn(async () => 'done')
    await expect(failing).rejects.toThrow('no')
    await expect(next).resolves.toBe('done')
  })
})
