import type { FetchLike } from '@modelcontextprotocol/client'
import { kernelFailure } from '#kernel/errors'
import type { Outbound } from '#kernel/outbound'

/** The limits of the requests of a connection, for all of them together until the next renewal. */
export interface RequestLimits {
  msLeft(): number
  bytesLeft(): number
  take(bytes: number): void
  /** Grants a call its own time and size. The time that an earlier call still has is not shortened. */
  renew(timeoutMs: number): void
}

export function createRequestLimits(timeoutMs: number, maxBytes: number): RequestLimits {
  let endsAt = performance.now() + timeoutMs
  let bytesLeft = maxBytes
  return {
    msLeft: () => Math.max(1, endsAt - performance.now()),
    bytesLeft: () => Math.max(0, bytesLeft),
    take(bytes) {
      bytesLeft -= bytes
    },
    renew(nextMs) {
      endsAt = Math.max(endsAt, performance.now() + nextMs)
      bytesLeft = maxBytes
    },
  }
}

interface OutboundFetchOptions {
  readonly outbound: Pick<Outbound, 'stream'>
  /** The account of the requests; `platform` for the platform's own. */
  readonly account: string
  /** Whether the headers of the requests have credentials. */
  readonly confidential: boolean
  readonly limits: RequestLimits
  /** Called when the response to a request breaks off. The client itself would keep waiting. */
  readonly onBreak: (reason: unknown) => void
}

/** Statuses without a body: the Response constructor rejects one. */
const bodiless = new Set([204, 205, 304])

/** A fetch through the outbound guard. */
export function createOutboundFetch(options: OutboundFetchOptions): FetchLike {
  const { outbound, account, confidential, limits, onBreak } = options

  async function* counted(body: AsyncIterable<Buffer>, isResponse: boolean): AsyncGenerator<Buffer, void> {
    try {
      for await (const chunk of body) {
        limits.take(chunk.length)
        yield chunk
      }
    } catch (error) {
      if (isResponse) onBreak(error)
      throw error
    }
  }

  return async (url, init = {}) => {
    const { accept, ...headers } = Object.fromEntries(new Headers(init.headers))
    const response = await outbound.stream(url, {
      account,
      confidential,
      method: readMethod(init.method),
      headers,
      ...(accept !== undefined && { accept }),
      ...(typeof init.body === 'string' && { body: init.body }),
      ...(init.signal && { signal: init.signal }),
      timeoutMs: limits.msLeft(),
      maxResponseBytes: limits.bytesLeft(),
    })
    const responseHeaders = new Headers()
    for (const [name, value] of Object.entries(response.headers)) {
      for (const one of [value ?? []].flat()) responseHeaders.append(name, one)
    }
    if (bodiless.has(response.status)) {
      await response[Symbol.asyncDispose]()
      return new Response(null, { status: response.status, headers: responseHeaders })
    }
    return new Response(ReadableStream.from(counted(response.body, init.method === 'POST')), {
      status: response.status,
      headers: responseHeaders,
    })
  }
}

function readMethod(method = 'GET'): 'GET' | 'POST' | 'DELETE' {
  if (method === 'GET' || method === 'POST' || method === 'DELETE') return method
  throw kernelFailure('invalid_input', { message: `The protocol does not use the method ${method}.` })
}
