import { expect, test, vi } from 'vitest'
import { retryConflicts } from './retry-conflicts.ts'

const failsWith = (code: string) => Object.assign(new Error(`failed with ${code}`), { code })

test.each(['40001', '40P01'])('work that PostgreSQL ended with %s is run again', async (code) => {
  const work = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(failsWith(code))
    .mockRejectedValueOnce(failsWith(code))
    .mockResolvedValueOnce('done')
  expect(await retryConflicts(work, { pauseMs: 1 })).toBe('done')
  expect(work).toHaveBeenCalledTimes(3)
})

test.each(['23505', '55P03', '57014'])('work that failed with %s is not run again', async (code) => {
  const work = vi.fn<() => Promise<void>>().mockRejectedValue(failsWith(code))
  await expect(retryConflicts(work)).rejects.toMatchObject({ code })
  expect(work).toHaveBeenCalledTimes(1)
})

test('the last conflict is thrown after the last attempt', async () => {
  const work = vi.fn<() => Promise<void>>().mockRejectedValue(failsWith('40P01'))
  await expect(retryConflicts(work, { attempts: 4, pauseMs: 1 })).rejects.toMatchObject({ code: '40P01' })
  expect(work).toHaveBeenCalledTimes(4)
})
