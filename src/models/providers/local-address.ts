import ipaddr from 'ipaddr.js'

/** Names that public DNS does not have: of Docker, Kubernetes, and home or company networks. */
const localSuffixes = ['.localhost', '.local', '.internal', '.lan', '.home.arpa', '.svc']

const localRanges: ReadonlySet<string> = new Set([
  'loopback',
  'private',
  'uniqueLocal',
  'linkLocal',
  'carrierGradeNat',
])

/** Whether a URL leads to this machine. Names are not resolved. */
export function isThisMachine(url: string): boolean {
  const host = hostOf(url)
  if (ipaddr.isValid(host)) return ipaddr.process(host).range() === 'loopback'
  return host === 'localhost' || host.endsWith('.localhost')
}

/** Whether a URL leads to this machine or to the network of the operator. Names are not resolved. */
export function isLocalAddress(url: string): boolean {
  const host = hostOf(url)
  if (ipaddr.isValid(host)) return localRanges.has(ipaddr.process(host).range())
  return !host.includes('.') || localSuffixes.some((suffix) => host.endsWith(suffix))
}

function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase()
}
