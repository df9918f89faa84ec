import type { IncomingHttpHeaders } from 'node:http'
import ipaddr from 'ipaddr.js'
import { kernelFailure } from '#kernel/errors'

/** Whether a host is a name or address of this machine. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '')
  return bare === 'localhost' || (ipaddr.isValid(bare) && ipaddr.process(bare).range() === 'loopback')
}

/**
 * A service without a key is open to this machine only. Pages in a local browser are on this machine as well, so pages
 * of other sites are detected by `Origin`, or by `Host` in case of DNS rebinding.
 */
export function requireOwnHost({ host, origin }: IncomingHttpHeaders): void {
  if (host !== undefined && !isOwn(`http://${host}`)) {
    throw kernelFailure('permission_denied', {
      message: `this service answers only as localhost; set CLUSTER_API_KEY to reach it by another name`,
    })
  }
  if (origin !== undefined && !isOwn(origin)) {
    throw kernelFailure('permission_denied', { message: 'pages of other sites may not use this service' })
  }
}

const usualHost = /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/

function isOwn(address: string): boolean {
  if (usualHost.test(address)) return true
  return URL.canParse(address) && isLoopback(new URL(address).hostname)
}
