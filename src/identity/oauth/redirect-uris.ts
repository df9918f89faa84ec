const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

const maxLength = 2000

/**
 * Validates a redirect URI and returns the problem, or undefined. Registered URIs are compared exactly later, so every
 * ambiguous URI is refused here.
 */
export function findRedirectUriProblem(uri: string, isPublic: boolean): string | undefined {
  if (uri.length > maxLength) return `is longer than ${maxLength} characters`
  if (!/^[\x21-\x7e]+$/.test(uri) || /["'<>\\^`{|}]/.test(uri)) {
    return 'contains characters that must be percent-encoded in a URI'
  }
  if (uri.includes('*')) return 'contains a wildcard; register every URI by itself'
  if (uri.includes('#')) return 'contains a fragment'
  if (!URL.canParse(uri)) return 'is not an absolute URI'
  const { protocol, hostname, username, password } = new URL(uri)
  if (username !== '' || password !== '') return 'contains a username or password'
  // Other characters in the host could end a directive of the consent page's Content-Security-Policy.
  if (/^https?:$/.test(protocol) && !/^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(hostname))
    return 'has an invalid host'
  switch (protocol) {
    case 'https:':
      return findBeginningProblem(uri, 'https://')
    case 'http:':
      return loopbackHosts.has(hostname)
        ? findBeginningProblem(uri, 'http://')
        : 'must use https; http is allowed for localhost, 127.0.0.1 and [::1] only'
    default:
      return findSchemeProblem(uri, isPublic)
  }
}

/** Browsers read `https:app.example` and `https:///app.example` as `https://app.example`; other parsers do not. */
function findBeginningProblem(uri: string, beginning: string): string | undefined {
  const wellBegun = uri.startsWith(beginning) && uri[beginning.length] !== '/'
  return wellBegun ? undefined : `must begin with ${beginning} and a host`
}

/** A private-use scheme is a reversed domain name (RFC 8252, 7.1), so that applications do not collide. */
function findSchemeProblem(uri: string, isPublic: boolean): string | undefined {
  if (!isPublic) return 'must use https'
  return isPrivateUse(uri)
    ? undefined
    : 'must use https, or a private-use scheme such as com.example.app:/signed-in'
}

/** Whether a URI opens an application on the device: its scheme contains a dot, as RFC 8252 requires. */
export function isPrivateUse(uri: string): boolean {
  return /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\/(?!\/)/.test(uri)
}

/** Whether another application on the device can register the scheme, or listen on the port, of this URI. */
export function isClaimable(uri: string): boolean {
  return isPrivateUse(uri) || uri.startsWith('http:')
}

export function isSecureLoopback(uri: string): boolean {
  return URL.canParse(uri) && new URL(uri).protocol === 'https:' && loopbackHosts.has(new URL(uri).hostname)
}

/** The `form-action` source for a URI. CSP cannot express IPv6 addresses, so those allow their whole scheme. */
export function formActionOf(uri: string): string {
  const { protocol, origin, hostname } = new URL(uri)
  return isPrivateUse(uri) || hostname.startsWith('[') ? protocol : origin
}

/** The host or the application that a redirect URI leads to, as shown to users. */
export function describeRedirectTarget(uri: string): string {
  const { protocol, host } = new URL(uri)
  return isPrivateUse(uri) ? `the application ${protocol.slice(0, -1)} on this device` : host
}
