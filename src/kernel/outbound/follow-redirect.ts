import { outboundFailure, refuse } from './errors.ts'
import type { AnswerHeaders, WireRequest } from './exchange.ts'
import { dropContent, dropSecrets } from './request-headers.ts'
import { parseTarget, type Target } from './target.ts'

/** The next request of a redirect, not yet looked up or checked. */
export interface Hop {
  readonly target: Target
  readonly request: WireRequest
}

const redirects = new Set([301, 302, 303, 307, 308])

export function isRedirect(status: number, headers: AnswerHeaders): boolean {
  return redirects.has(status) && headers.location !== undefined
}

/** Makes the next request by the rules browsers follow, except that it never leads from https to http. */
export function followRedirect(from: Hop, status: number, headers: AnswerHeaders): Hop {
  const { location } = headers
  if (typeof location !== 'string' || !URL.canParse(location, from.target.url.href)) {
    throw outboundFailure('outbound_bad_response', {
      message: 'The host redirects to an address that is not valid.',
    })
  }
  const target = parseTarget(new URL(location, from.target.url))
  if (from.target.url.protocol === 'https:' && target.url.protocol === 'http:') throw refuse('downgrade')

  let { method, headers: requestHeaders, body } = from.request
  const becomesGet =
    (status === 303 && method !== 'GET' && method !== 'HEAD') ||
    ((status === 301 || status === 302) && method === 'POST')
  if (becomesGet) {
    method = 'GET'
    body = undefined
    requestHeaders = dropContent(requestHeaders)
  }
  if (target.url.origin !== from.target.url.origin) requestHeaders = dropSecrets(requestHeaders)
  return { target, request: { method, headers: requestHeaders, body } }
}
