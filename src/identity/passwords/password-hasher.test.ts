import { expect, test } from 'vitest'
import { createWorkLimit } from './password-hasher.ts'

test('runs the parallel limit, queues up to the waiting limit in order, and refuses the rest at once', async () => {
  const limit = createWorkLimit({ parallel: 2, waiting: 3 })
  const started: number[] = []
  const finish: (() => void)[] = []
  const work = (name: number) =>
    limit.run(() => {
      started.push(name)
      return new Promise<number>((resolve) => finish.push(() => resolve(name)))
    })

  const accepted = [1, 2, 3, 4, 5].map(work)
  await expect(work(6)).rejects.toMatchObject({ code: 'overloaded', status: 503, retryAfterSeconds: 2 })
  expect([started, limit.waiting]).toEqual([[1, 2], 3])

  finish[0]?.()
  await accepted[0]
  await expect.poll(() => started).toEqual([1, 2, 3])
  for (let index = 1; index < 5; index += 1) {
    await expect.poll(() => finish.length).toBeGreaterThan(index)
    finish[index]?.()
  }
  expect(await Promise.all(accepted)).toEqual([1, 2, 3, 4, 5])
  expect(limit.waiting).toBe(0)
})

test('failed work releases its slot', async () => {
  const limit = createWorkLimit({ parallel: 1, waiting: 0 })
  await expect(limit.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await limit.run(async () => 'yes')).toBe('yes')
})
