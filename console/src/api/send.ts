import { unreachable } from './api-failure.ts'
import { changesSomething, type PlainRequest, plainRequestOf } from './plain-request.ts'

export type Send = (request: Request) => Promise<Response>

export interface SendOptions {
  readonly fetch: Send
  /** Called once a response shows that the session has ended. */
  readonly onSignedOut: () => void
  /** Called with whether each request found a server. */
  readonly onReach: (isAnswered: boolean) => void
  /** Called with the request id of every response, so that an error notice can quote the last one. */
  readonly onRequestId: (requestId: string) => void
  /** Called with every request that changes something, so that the user can copy it as a curl command. */
  readonly onWrite: (request: PlainRequest) => void
}

const readOnlyMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Creates the function that sends all requests of the console. It marks them as sent by a script, adds the CSRF token and
 * detects the end of the session.
 */
export function createSend({ fetch, onSignedOut, onReach, onRequestId, onWrite }: SendOptions): Send {
  let csrfToken: Promise<string> | undefined

  async function exchange(request: Request): Promise<Response> {
    request.headers.set('x-requested-with', 'XMLHttpRequest')
    const response = await fetch(request).catch((cause: unknown) => {
      // An aborted request rejects with the abort error itself.
      if (request.signal.aborted) throw cause
      onReach(false)
      throw unreachable(cause)
    })
    onReach(true)
    const requestId = response.headers.get('x-request-id')
    if (requestId !== null) onRequestId(requestId)
    if (response.status !== 401) return response
    onSignedOut()
    // The browser is leaving this page; a response would only flash an error before the page is gone.
    return new Promise<Response>(() => {})
  }

  async function readCsrfToken(origin: string): Promise<string> {
    const response = await exchange(new Request(new URL('/session/token', origin)))
    if (response.ok) return await response.text()
    csrfToken = undefined
    return ''
  }

  async function write(request: Request, token: string): Promise<Response> {
    request.headers.set('x-csrf-token', token)
    return await exchange(request)
  }

  return async (request) => {
    if (readOnlyMethods.has(request.method)) return await exchange(request)
    if (changesSomething(request)) onWrite(await plainRequestOf(request))
    const again = request.clone()
    csrfToken ??= readCsrfToken(request.url)
    const token = await csrfToken
    const response = await write(request, token)
    if (response.status !== 403) return response
    // Another tab may have signed in again: a changed token is worth one retry, an unchanged token means a real refusal.
    csrfToken = readCsrfToken(request.url)
    const freshToken = await csrfToken
    return freshToken === token ? response : await write(again, freshToken)
  }
}
