import { type Dispatcher, request } from 'undici'
import { readErrorBody } from './error-body.ts'
import { ProviderFailure } from './provider-failure.ts'
import { readRetryAfter } from './retry-after.ts'
import { failureOfStatus } from './status-failure.ts'

export interface FetchModelListOptions {
  readonly label: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly dispatcher: Dispatcher
  readonly key: string | undefined
  readonly signal?: AbortSignal | undefined
}

const listTimeoutMs = 10_000
/** The statuses of a server without a model list. */
const noListStatuses = new Set([404, 405, 501])
const maxListBytes = 8 * 1024 * 1024

/** Fetches a page of the model list of a provider; undefined when it has no list. Throws a ProviderFailure. */
export async function fetchModelList(options: FetchModelListOptions): Promise<unknown> {
  const { label, url, headers, dispatcher, key, signal } = options
  const timeout = new AbortController()
  const timer = setTimeout(() => timeout.abort(), listTimeoutMs)
  try {
    const response = await repeatIfClosed(() =>
      request(url, {
        dispatcher,
        headers: { accept: 'application/json', ...headers },
        signal: signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]),
      }),
    )
    const body = parseJson(await readBounded(response.body, label))
    const { statusCode: status, headers: responseHeaders } = response
    if (status === 200) return body
    if (noListStatuses.has(status)) return undefined
    const retryAfterSeconds = readRetryAfter([responseHeaders['retry-after']].flat()[0])
    throw failureOfStatus({ label, status, ...readErrorBody(body), retryAfterSeconds, key })
  } catch (error) {
    if (error instanceof ProviderFailure) throw error
    if (timeout.signal.aborted || signal?.aborted === true) {
      throw new ProviderFailure({ kind: 'timeout', message: `${label} did not list its models in time.` })
    }
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new ProviderFailure({
      kind: 'unavailable',
      message: `${label} cannot be reached${code}.`,
      cause: error,
    })
  } finally {
    clearTimeout(timer)
  }
}

/** Repeats a request once when the server had closed the kept-alive connection. */
async function repeatIfClosed<Result>(send: () => Promise<Result>): Promise<Result> {
  try {
    return await send()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'UND_ERR_SOCKET' && code !== 'ECONNRESET') throw error
    return await send()
  }
}

async function readBounded(body: AsyncIterable<Buffer>, label: string): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxListBytes) {
      throw new ProviderFailure({
        kind: 'malformed',
        message: `${label} sent a model list that is too large.`,
      })
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
