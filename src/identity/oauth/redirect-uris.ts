const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]'])

const longest = 2000

/**
 * Says what is wrong with an address that codes are sent to, or nothing. It is compared letter by letter later, so
 * anything that could be read in two ways is refused here.
 */
export function findRedirectUriProblem(uri: string, isPublic: boolean): string | undefined {
  if (uri.length > longest) return `is longer than ${longest} characters`
  if (!/^[\x21-\x7e]+$/.test(uri) || /["'<>\\^`{|}]/.test(uri)) {
    return 'has characters that must be percent-encoded in an address'
  }
  if (uri.includes('*')) return 'has a wildcard; every address is registered by itself'
  if (uri.includes('#')) return 'has a fragment'
  if (!URL.canParse(uri)) return 'is not an absolute address'
  const { protocol, hostname, username, password } = new URL(uri)
  if (username !== '' || password !== '') return 'has a username or password'
  // A host may hold signs that end a directive of the consent page's policy.
  if (/^https?:$/.test(protocol) && !/^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(hostname))
    return 'has no plain host'
  switch (protocol) {
    case 'https:':
      return findBeginningProblem(uri, 'https://')
    case 'http:':
      return loopbackHosts.has(hostname)
        ? findBeginningProblem(uri, 'http://')
        : 'must use https; http is only for this machine (localhost, 127.0.0.1, [::1])'
    default:
      return findSchemeProblem(uri, isPublic)
  }
}

/** `https:app.example` and `https:///app.example` are `https://app.example` to a browser, and something else to others. */
function findBeginningProblem(uri: string, beginning: string): string | undefined {
  const wellBegun = uri.startsWith(beginning) && uri[beginning.length] !== '/'
  return wellBegun ? undefined : `must begin with ${beginning} and a host`
}

/** An application's own scheme is a domain name backwards, which is how nobody else comes to claim it. */
function findSchemeProblem(uri: string, isPublic: boolean): string | undefined {
  if (!isPublic) return 'must use https'
  return isPrivateUse(uri)
    ? undefined
    : 'must use https, or a scheme of your own such as com.example.app:/signed-in'
}

/** Whether an address leads into an application on the device: its scheme has a dot, as RFC 8252 asks. */
export function isPrivateUse(uri: string): boolean {
  return /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:\/(?!\/)/.test(uri)
}

/** Whether another application on the device can come to receive what is sent there: a scheme, or a port of it. */
export function isClaimable(uri: string): boolean {
  return isPrivateUse(uri) || uri.startsWith('http:')
}

export function isSecureLoopback(uri: string): boolean {
  return URL.canParse(uri) && new URL(uri).protocol === 'https:' && loopbackHosts.has(new URL(uri).hostname)
}

/** What a page's policy has to name for its form to end there. It has no way to write an IPv6 address. */
export function formActionOf(uri: string): string {
  const { protocol, origin, hostname } = new URL(uri)
  return isPrivateUse(uri) || hostname.startsWith('[') ? protocol : origin
}

/** Where an address leads, in words for a person. */
export function placeOf(uri: string): string {
  const { protocol, host } = new URL(uri)
  return isPrivateUse(uri) ? `the application ${protocol.slice(0, -1)} on this device` : host
}
