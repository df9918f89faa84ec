import { type Dispatcher, request } from 'undici'
import { startRunningTimer } from '#kernel/timers'
import { explainConnectionError, FailedProbe } from '../probing/failed-probe.ts'
import { headersOf, type ModelRoute } from './route.ts'

export interface FetchOptions {
  readonly dispatcher: Dispatcher
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

const maxResponseBytes = 16 * 1024 * 1024

/** Fetches JSON from a route. Throws a FailedProbe with the reason. */
export async function fetchJson(route: ModelRoute, url: string, options: FetchOptions): Promise<unknown> {
  const { dispatcher, timeoutMs, signal } = options
  const given = new AbortController()
  using _ = startRunningTimer(() => given.abort(), timeoutMs)
  try {
    const { statusCode, body } = await request(url, {
      dispatcher,
      headers: { ...headersOf(route), accept: 'application/json' },
      signal: signal === undefined ? given.signal : AbortSignal.any([signal, given.signal]),
    })
    const text = await readBounded(body)
    if (statusCode !== 200) throw new FailedProbe(describeStatus(statusCode))
    return parseJson(text)
  } catch (error) {
    if (given.signal.aborted) throw new FailedProbe(`no response within ${timeoutMs / 1000} s`)
    throw explainConnectionError(error)
  }
}

function describeStatus(status: number): string {
  return status === 401 || status === 403 ? 'it does not accept our key' : `it answered with status ${status}`
}

async function readBounded(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxResponseBytes) throw new FailedProbe('it returned more than is possible')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new FailedProbe('it did not return JSON')
  }
}
