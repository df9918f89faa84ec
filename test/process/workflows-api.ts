import { setTimeout } from 'node:timers/promises'
import { fetchWithinRate } from '../support/fetch-within-rate.ts'
import { basicAuth, type OpenPlatform } from '../support/platform.ts'

/**
 * Calls the Workflows API as the administrator: GET without a body, POST with one unless another method is named. Throws if it fails;
 * a read that the database of a busy machine delays too long (503) is repeated.
 */
export function createWorkflowsApi(platform: OpenPlatform) {
  const headers = { ...basicAuth(platform), 'content-type': 'application/json' }
  return async <Body = Readonly<Record<string, unknown>>>(
    path: string,
    body?: object,
    method = body === undefined ? 'GET' : 'POST',
  ): Promise<Body> => {
    const url = `${platform.url}/ai-workflows/api${path}`
    const request = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    let repeatsLeft = method === 'GET' ? 30 : 0
    let answer = await fetchWithinRate(url, request)
    while (answer.status === 503 && repeatsLeft > 0) {
      repeatsLeft -= 1
      await setTimeout(Number(answer.headers.get('retry-after')) * 1000)
      answer = await fetchWithinRate(url, request)
    }
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Body
  }
}
