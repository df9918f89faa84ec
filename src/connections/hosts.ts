/**
 * A host name, an IPv4 address or an IPv6 address in brackets; `*.` for all names below it; with or without a port; `http://` before it for
 * requests without encryption.
 */
const entry =
  /^(?:https:\/\/|(?<plain>http:\/\/))?(?<named>(?:\*\.)?(?<name>[a-z0-9](?:[a-z0-9._-]{0,251}[a-z0-9])?|\[[0-9a-f:.]{2,45}\])(?<port>:[1-9]\d{0,4})?)$/

/** An allowed host as it is compared, in lower case and without `https://`, which is the default. Undefined: it is not a host. */
export function readHost(text: string): string | undefined {
  const { plain = '', named, name, port = '' } = entry.exec(text.trim().toLowerCase())?.groups ?? {}
  // The URL parser normalises other notations of addresses, which a comparison of texts would miss.
  const isHost = URL.canParse(`https://${name}${port}`) && new URL(`https://${name}`).hostname === name
  return named !== undefined && isHost ? `${plain}${named}` : undefined
}

/**
 * | outcome         | when                                                                                        |
 * |-----------------|---------------------------------------------------------------------------------------------|
 * | `allowed`       | an entry names the host, and the URL has https, or the entry has `http://` and the URL, too |
 * | `not_encrypted` | an entry names the host, but the URL has http and the entry does not allow that             |
 * | `other_host`    | no entry names the host                                                                     |
 */
export type HostOutcome = 'allowed' | 'not_encrypted' | 'other_host'

/** Whether values may be sent to a URL. An entry without a port allows all ports, `*.example.com` all names below example.com. */
export function checkHost(url: string | URL, allowedHosts: readonly string[]): HostOutcome {
  const { hostname, port, protocol } = new URL(url)
  const usedPort = port === '' ? (protocol === 'https:' ? '443' : '80') : port
  const naming = allowedHosts.map(readEntry).filter(({ name, port: allowedPort }) => {
    if (allowedPort !== undefined && allowedPort !== usedPort) return false
    return name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : hostname === name
  })
  if (naming.some((allowed) => allowed.protocol === protocol)) return 'allowed'
  return protocol === 'http:' && naming.length > 0 ? 'not_encrypted' : 'other_host'
}

function readEntry(allowed: string): {
  readonly protocol: string
  readonly name: string
  readonly port: string | undefined
} {
  const isPlain = allowed.startsWith('http://')
  const [, name = '', port] =
    /^(\[.*\]|[^:]*)(?::(\d+))?$/.exec(isPlain ? allowed.slice('http://'.length) : allowed) ?? []
  return { protocol: isPlain ? 'http:' : 'https:', name, port }
}
