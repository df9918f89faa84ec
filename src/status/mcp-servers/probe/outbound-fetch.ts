import type { FetchLike } from '@modelcontextprotocol/client'
import { kernelFailure } from '#kernel/errors'
import type { Outbound } from '#kernel/outbound'

interface OutboundFetchOptions {
  readonly outbound: Pick<Outbound, 'stream'>
  /** For all requests together, to the last byte. */
  readonly timeoutMs: number
  /** Of all answers together. */
  readonly maxBytes: number
  /** Hears of an answer to a question that broke off. The client itself would wait for more of it. */
  readonly onBreak: (reason: unknown) => void
}

/** Answers without a body, which a Response may not be given one for. */
const bodiless = new Set([204, 205, 304])

/** A fetch that goes through the guard for foreign addresses, and is bounded as a whole. */
export function createOutboundFetch(options: OutboundFetchOptions): FetchLike {
  const { outbound, timeoutMs, maxBytes, onBreak } = options
  const startedAt = performance.now()
  let bytesLeft = maxBytes

  async function* counted(body: AsyncIterable<Buffer>, isAnswer: boolean): AsyncGenerator<Buffer, void> {
    try {
      for await (const chunk of body) {
        bytesLeft -= chunk.length
        yield chunk
      }
    } catch (error) {
      if (isAnswer) onBreak(error)
      throw error
    }
  }

  return async (url, init = {}) => {
    const { accept, ...headers } = Object.fromEntries(new Headers(init.headers))
    const answer = await outbound.stream(url, {
      account: 'platform',
      method: readMethod(init.method),
      headers,
      ...(accept !== undefined && { accept }),
      ...(typeof init.body === 'string' && { body: init.body }),
      ...(init.signal && { signal: init.signal }),
      timeoutMs: Math.max(1, timeoutMs - (performance.now() - startedAt)),
      maxResponseBytes: Math.max(0, bytesLeft),
    })
    const told = new Headers()
    for (const [name, value] of Object.entries(answer.headers)) {
      for (const one of [value ?? []].flat()) told.append(name, one)
    }
    if (bodiless.has(answer.status)) {
      await answer[Symbol.asyncDispose]()
      return new Response(null, { status: answer.status, headers: told })
    }
    return new Response(ReadableStream.from(counted(answer.body, init.method === 'POST')), {
      status: answer.status,
      headers: told,
    })
  }
}

function readMethod(method = 'GET'): 'GET' | 'POST' | 'DELETE' {
  if (method === 'GET' || method === 'POST' || method === 'DELETE') return method
  throw kernelFailure('invalid_input', { message: `The protocol has no ${method}.` })
}
