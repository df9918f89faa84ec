/** A host name, an IPv4 address or an IPv6 address in brackets; `*.` for all names below it; with or without a port. */
const entry = /^(?:(?:\*\.)?[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?::[1-9]\d{0,4})?$/

/** An allowed host as it is compared, in lower case. Undefined: it is not a host. */
export function readHost(text: string): string | undefined {
  const host = text.trim().toLowerCase()
  if (!entry.test(host)) return undefined
  // The URL parser normalises other notations of addresses, which a comparison of texts would miss.
  const name = host.replace(/^\*\./, '')
  return URL.canParse(`https://${name}`) && isNormal(name) ? host : undefined
}

function isNormal(name: string): boolean {
  const [, host = ''] = /^(.*?)(?::\d+)?$/.exec(name) ?? []
  return new URL(`https://${host}`).hostname === host
}

/** Whether a URL leads to one of the hosts. An entry without a port allows all ports, `*.example.com` all names below example.com. */
export function isAllowedHost(url: string | URL, allowedHosts: readonly string[]): boolean {
  const { hostname, port, protocol } = new URL(url)
  const usedPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port
  return allowedHosts.some((allowed) => {
    const [, name = '', allowedPort] = /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(allowed) ?? []
    if (allowedPort !== undefined && allowedPort !== usedPort) return false
    return name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : hostname === name
  })
}
