import { afterEach, expect, test, vi } from 'vitest'
import { connectPlatform } from './platform.ts'

afterEach(() => void vi.unstubAllGlobals())

test.each([
  ['120', 120_000],
  ['3000000', 3_600_000],
  ['tomorrow', 30_000],
  [undefined, 30_000],
])('after a 429 with retry-after %s, events are sent again after %i ms', async (retryAfter, expected) => {
  const headers: HeadersInit = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
  vi.stubGlobal('fetch', async () => new Response(null, { status: 429, headers }))
  expect(
    await connectPlatform({
      base: 'https://tutti.example',
      site: null,
      language: () => 'en',
      onPlayer: () => undefined,
    }).sendEvents('welcome', []),
  ).toBe(expected)
})
