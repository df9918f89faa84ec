import { type Dispatcher, request } from 'undici'
import { readErrorBody } from './error-body.ts'
import { ProviderFailure } from './provider-failure.ts'
import { readRetryAfter } from './retry-after.ts'
import { failureOfStatus } from './status-failure.ts'

export interface AskListOptions {
  readonly who: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly dispatcher: Dispatcher
  readonly key: string | undefined
  readonly signal?: AbortSignal | undefined
}

const listTimeoutMs = 10_000
/** What a server answers that has no list of models. */
const noList = new Set([404, 405, 501])
const largestListBytes = 8 * 1024 * 1024

/** Gets a page of a provider's list of models; undefined when it has no list. Throws a ProviderFailure. */
export async function askForList(options: AskListOptions): Promise<unknown> {
  const { who, url, headers, dispatcher, key, signal } = options
  const given = new AbortController()
  const alarm = setTimeout(() => given.abort(), listTimeoutMs)
  try {
    const answer = await askAgainIfClosed(() =>
      request(url, {
        dispatcher,
        headers: { accept: 'application/json', ...headers },
        signal: signal === undefined ? given.signal : AbortSignal.any([signal, given.signal]),
      }),
    )
    const body = parseJson(await readBounded(answer.body, who))
    const { statusCode: status, headers: told } = answer
    if (status === 200) return body
    if (noList.has(status)) return undefined
    const retryAfterSeconds = readRetryAfter([told['retry-after']].flat()[0])
    throw failureOfStatus({ who, status, ...readErrorBody(body), retryAfterSeconds, key })
  } catch (error) {
    if (error instanceof ProviderFailure) throw error
    if (given.signal.aborted || signal?.aborted === true) {
      throw new ProviderFailure({ kind: 'timeout', message: `${who} did not list its models in time.` })
    }
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
    throw new ProviderFailure({
      kind: 'unavailable',
      message: `${who} cannot be reached${code}.`,
      cause: error,
    })
  } finally {
    clearTimeout(alarm)
  }
}

/** A connection that was kept may have been closed since, which says nothing about who is there now. */
async function askAgainIfClosed<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'UND_ERR_SOCKET' && code !== 'ECONNRESET') throw error
    return await ask()
  }
}

async function readBounded(body: AsyncIterable<Buffer>, who: string): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > largestListBytes) {
      throw new ProviderFailure({ kind: 'malformed', message: `${who} sent a list of models without end.` })
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
