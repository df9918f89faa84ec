import { performance } from 'node:perf_hooks'
import { Agent, request } from 'undici'

interface Asked {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly body?: object
  readonly signal: AbortSignal
}

export interface Answer {
  readonly status: number
  /** Undefined when it is not JSON. */
  readonly json: unknown
  readonly ms: number
}

const maxAnswerBytes = 4 * 1024 * 1024

/**
 * Asks an address of the operator's own, who means the private networks that the guard for outbound calls exists to refuse; so this is
 * plain undici with a bound of its own. No connection outlives its answer, so none is found closed later.
 */
export async function ask(
  url: string,
  { method = 'GET', headers = {}, body, signal }: Asked,
): Promise<Answer> {
  const agent = new Agent({ pipelining: 0, maxResponseSize: maxAnswerBytes })
  const startedAt = performance.now()
  try {
    const answer = await request(url, {
      dispatcher: agent,
      method,
      signal,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.body.text()
    return { status: answer.statusCode, json: parseJson(text), ms: performance.now() - startedAt }
  } finally {
    await agent.destroy()
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Why nobody answered, for people. */
export function explainNoAnswer(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  if (code === 'ECONNREFUSED') return 'nobody listens there'
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return 'it answered without end'
  return code === undefined ? 'it could not be reached' : `it could not be reached (${code})`
}
