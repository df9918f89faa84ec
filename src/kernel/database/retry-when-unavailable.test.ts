import { expect, test, vi } from 'vitest'
import { databaseUnavailable } from './database-errors.ts'
import { retryWhenUnavailable } from './retry-when-unavailable.ts'

test('retries while the database is unreachable', async () => {
  const work = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(databaseUnavailable())
    .mockResolvedValueOnce('done')
  expect(await retryWhenUnavailable(work)).toBe('done')
  expect(work).toHaveBeenCalledTimes(2)
})

test('does not retry any other error', async () => {
  const work = vi.fn<() => Promise<void>>().mockRejectedValue(new Error('a mistake in the statement'))
  await expect(retryWhenUnavailable(work)).rejects.toThrow('a mistake in the statement')
  expect(work).toHaveBeenCalledTimes(1)
})

test('gives up after the maximum attempts, or at the deadline', async () => {
  const work = vi.fn<() => Promise<void>>().mockImplementation(() => Promise.reject(databaseUnavailable()))
  await expect(retryWhenUnavailable(work, { attempts: 2 })).rejects.toMatchObject({
    code: 'database_unavailable',
  })
  expect(work).toHaveBeenCalledTimes(2)
  await expect(retryWhenUnavailable(work, { deadlineMs: 10 })).rejects.toMatchObject({
    code: 'database_unavailable',
  })
  expect(work).toHaveBeenCalledTimes(3)
})

test('an abort ends the wait', async () => {
  const abort = new AbortController()
  const waiting = retryWhenUnavailable(() => Promise.reject(databaseUnavailable()), { signal: abort.signal })
  abort.abort(new Error('no longer wanted'))
  await expect(waiting).rejects.toThrow()
})
