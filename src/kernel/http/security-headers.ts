import { randomBytes } from 'node:crypto'
import type { FastifyReply } from 'fastify'

/**
 * Headers of every response. Responses with data may load nothing, even if a browser renders them; a page sets its own policy.
 * HSTS is left to the proxy that terminates TLS, because plain HTTP on one machine is a supported setup.
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
  /** Origins that a form may redirect to, besides the page's own. */
  readonly formActions?: readonly string[]
  /** Pages of the same origin may frame this one. */
  readonly framedBySameOrigin?: boolean
  /** The page may frame pages of any site. */
  readonly framesAnySite?: boolean
  /** The trusted types policies that scripts of the page may create; without them, trusted types are not required. */
  readonly trustedTypes?: readonly string[]
}

/** Sets the content security policy of a page and returns the nonce that its scripts and styles need. Does not throw. */
export function setPagePolicy(reply: FastifyReply, policy: PagePolicy = {}): string {
  const nonce = randomBytes(16).toString('base64')
  const formActions = ["'self'", ...(policy.formActions ?? [])].join(' ')
  if (policy.framedBySameOrigin === true) reply.header('x-frame-options', 'SAMEORIGIN')
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
      ...(policy.framesAnySite === true ? ["frame-src 'self' http: https:"] : []),
      ...(policy.trustedTypes === undefined
        ? []
        : ["require-trusted-types-for 'script'", `trusted-types ${policy.trustedTypes.join(' ')}`]),
      `frame-ancestors ${policy.framedBySameOrigin === true ? "'self'" : "'none'"}`,
    ].join('; '),
  )
  return nonce
}
