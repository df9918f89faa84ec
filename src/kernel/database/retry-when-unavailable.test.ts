import { expect, test, vi } from 'vitest'
import { databaseUnavailable } from './connection-errors.ts'
import { retryWhenUnavailable } from './retry-when-unavailable.ts'

test('work runs again while the database is away', async () => {
  const work = vi
    .fn<() => Promise<string>>()
    .mockRejectedValueOnce(databaseUnavailable())
    .mockResolvedValueOnce('done')
  expect(await retryWhenUnavailable(work)).toBe('done')
  expect(work).toHaveBeenCalledTimes(2)
})

test('any other error ends it at once', async () => {
  const work = vi.fn<() => Promise<void>>().mockRejectedValue(new Error('a mistake in the statement'))
  await expect(retryWhenUnavailable(work)).rejects.toThrow('a mistake in the statement')
  expect(work).toHaveBeenCalledTimes(1)
})

test('it gives up after so many attempts, or so much time', async () => {
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

test('an abort ends the waiting', async () => {
  const abort = new AbortController()
  const waiting = retryWhenUnavailable(() => Promise.reject(databaseUnavailable()), { signal: abort.signal })
  abort.abort(new Error('no longer wanted'))
  await expect(waiting).rejects.toThrow()
})
