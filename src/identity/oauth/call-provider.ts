import { IncomingMessage, type OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Origin } from '../security-events.ts'

/** The browser session of a request, by ids that are not secret. */
export interface SignedIn {
  readonly sessionId: string
  readonly accountId: string
}

export interface ProviderCall {
  readonly method: 'GET' | 'POST'
  /** Path and query. */
  readonly url: string
  readonly cookie?: string | undefined
  readonly form?: URLSearchParams
  readonly signedIn?: SignedIn | undefined
  readonly origin: Origin
}

export interface ProviderResult {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly body: string
}

/** A request to the provider, with context that its callbacks read back. */
export class ProviderRequest extends IncomingMessage {
  signedIn: SignedIn | undefined
  origin: Origin
  /** An internal error; `callProvider` throws it instead of returning the provider's response. */
  failure: unknown

  constructor(call: ProviderCall, issuer: URL) {
    super(Object.assign(new Socket(), { encrypted: issuer.protocol === 'https:' }))
    this.signedIn = call.signedIn
    this.origin = call.origin
    this.method = call.method
    this.url = call.url
    this.httpVersion = '1.1'
    const body = call.form?.toString()
    this.headers = {
      host: issuer.host,
      accept: 'application/json',
      ...(call.cookie !== undefined && { cookie: call.cookie }),
      ...(body !== undefined && {
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': String(Buffer.byteLength(body)),
      }),
    }
    if (body !== undefined) this.push(body)
    this.push(null)
  }
}

/** Collects the response of the provider in memory. */
class ProviderResponse extends ServerResponse {
  body = ''

  override end(chunk?: unknown): this {
    if (typeof chunk === 'string' || Buffer.isBuffer(chunk)) this.body = chunk.toString()
    return this
  }
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>

/**
 * Calls the OAuth provider library in memory. The provider gets only the chosen parts of the client's request, and its
 * response is sent by our own routes with the headers that every response has. Throws the provider's internal errors.
 */
export async function callProvider(
  handle: Handle,
  issuer: string,
  call: ProviderCall,
): Promise<ProviderResult> {
  const request = new ProviderRequest(call, new URL(issuer))
  const response = new ProviderResponse(request)
  await handle(request, response)
  if (request.failure !== undefined) throw request.failure
  return { status: response.statusCode, headers: response.getHeaders(), body: response.body }
}
