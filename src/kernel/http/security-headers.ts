import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'

/**
 * Headers of every answer. Answers that are data may load nothing at all, whatever a browser makes of them; a page sets
 * its own policy. Transport security is left to the proxy that ends TLS: plain http on one machine is a normal way to run.
 */
export const securityHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

export interface PagePolicy {
  /** Origins a form on the page may end at after its redirect, besides our own. */
  readonly formActions?: readonly string[]
  /** Pages of our own may show this one in a frame; nobody else may. */
  readonly framedByOurselves?: boolean
  /** The page may show pages of any site in a frame. */
  readonly framesOthers?: boolean
}

/** Sets the strict policy of a page and returns the nonce its own scripts and styles must carry. */
export function setPagePolicy(reply: FastifyReply, policy: PagePolicy = {}): string {
  const nonce = randomBytes(16).toString('base64')
  const formActions = ["'self'", ...(policy.formActions ?? [])].join(' ')
  if (policy.framedByOurselves === true) reply.header('x-frame-options', 'SAMEORIGIN')
  reply.header(
    'content-security-policy',
    [
      "default-src 'self'",
      `script-src 'self' 'nonce-${nonce}'`,
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "connect-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      `form-action ${formActions}`,
      ...(policy.framesOthers === true ? ["frame-src 'self' http: https:"] : []),
      `frame-ancestors ${policy.framedByOurselves === true ? "'self'" : "'none'"}`,
    ].join('; '),
  )
  return nonce
}
