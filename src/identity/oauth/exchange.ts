import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Origin } from '../security-events.ts'

/** The browser session a request came with, by names that are no secrets. */
export interface SignedIn {
  readonly sessionId: string
  readonly accountId: string
}

export interface ProviderQuestion {
  readonly method: 'GET' | 'POST'
  /** Path and query. */
  readonly url: string
  readonly cookie?: string | undefined
  readonly form?: URLSearchParams
  readonly signedIn?: SignedIn | undefined
  readonly origin: Origin
}

export interface ProviderAnswer {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: string
}

/** A request as the provider reads it, with what only we know of it. */
export class ProviderRequest extends IncomingMessage {
  signedIn: SignedIn | undefined
  origin: Origin
  /** What went wrong on our side, and is not for the caller to see. */
  failure: unknown

  constructor(question: ProviderQuestion, issuer: URL) {
    super(Object.assign(new Socket(), { encrypted: issuer.protocol === 'https:' }))
    this.signedIn = question.signedIn
    this.origin = question.origin
    this.method = question.method
    this.url = question.url
    this.httpVersion = '1.1'
    const body = question.form?.toString()
    this.headers = {
      host: issuer.host,
      accept: 'application/json',
      ...(question.cookie !== undefined && { cookie: question.cookie }),
      ...(body !== undefined && {
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': String(Buffer.byteLength(body)),
      }),
    }
    if (body !== undefined) this.push(body)
    this.push(null)
  }
}

/** An answer that goes to us and not over a connection. */
class ProviderResponse extends ServerResponse {
  body = ''

  override end(chunk?: unknown): this {
    if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) this.body = chunk.toString()
    return this
  }
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>

/**
 * Asks the provider in memory. It never sees the caller's own request, so nothing of it reaches the provider that we
 * did not choose, and its answer is ours to send, with the headers every answer has.
 */
export async function askProvider(
  handle: Handle,
  issuer: string,
  question: ProviderQuestion,
): Promise<ProviderAnswer> {
  const request = new ProviderRequest(question, new URL(issuer))
  const response = new ProviderResponse(request)
  await handle(request, response)
  if (request.failure !== undefined) throw request.failure
  return { status: response.statusCode, headers: response.getHeaders(), body: response.body }
}
