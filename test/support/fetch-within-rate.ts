import { setTimeout } from 'node:timers/promises'

/**
 * `fetch` for tests that do not test rate limits: a request above ten reads a second of an account is sent again in the next second.
 * Every other 429 is returned.
 */
export async function fetchWithinRate(url: string, init?: RequestInit): Promise<Response> {
  for (;;) {
    const answer = await fetch(url, init)
    const { headers, status } = answer
    const isAboveReads = headers.get('x-ratelimit-limit') === '10' && headers.get('retry-after') === '1'
    if (status !== 429 || !isAboveReads) return answer
    await answer.body?.cancel()
    await setTimeout(1000)
  }
}
