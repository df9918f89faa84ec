import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { countConnections, listen, makeOutbound, serve, type TestServer } from './outbound-support.ts'

/** Listens on both loopback addresses with the same port; a machine without IPv6 has just the one. */
async function listenOnLoopback(): Promise<TestServer[]> {
  const ipv4 = await listen(createServer())
  try {
    return [ipv4, await listen(createServer(), '::1', ipv4.port)]
  } catch {
    return [ipv4]
  }
}

const spellingsOfThisMachine = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.127.127.127',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0x7f.0x0.0x0.0x1',
  '0177.0.0.1',
  '0177.1',
  '017700000001',
  '127.0.0.1.',
  '0.0.0.0',
  '0',
  '0x0',
  '１２７.０.０.１',
  '１２７。０。０。１',
  '127。0。0。1',
  '127｡0｡0｡1',
  '①②⑦.⓪.⓪.①',
  '%31%32%37.0.0.1',
  '127%2E0%2E0%2E1',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000::0001]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::FFFF:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:7f00:1]',
  '[::127.0.0.1]',
  '[::7f00:1]',
  '[::ffff:0:7f00:1]',
  '[2002:7f00:1::]',
  '[2002:7f00:1::1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2001::7f00:1]',
  '[2001:0:7f00:1::]',
  '[2606:4700::5efe:7f00:1]',
  '[fe80::5efe:127.0.0.1]',
  'localhost',
  'LOCALHOST',
  'LocalHost.',
  'localhost%2E',
  'ｌｏｃａｌｈｏｓｔ',
  'a.localhost',
  'a.b.localhost.',
  'localhost.localdomain',
]

const otherRefusedHosts = [
  '10.0.0.1',
  '10.255.255.255',
  '0xa.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '3232235521',
  '100.64.0.1',
  '100.100.100.200',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.169.254.',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '169.254.43518',
  '[::ffff:169.254.169.254]',
  '[::ffff:a9fe:a9fe]',
  '[64:ff9b::a9fe:a9fe]',
  '[fd00:ec2::254]',
  '[FD00:0EC2::0254]',
  '[fd20:ce::254]',
  'metadata.google.internal',
  'Metadata.Google.Internal.',
  'metadata.goog',
  'metadata',
  'instance-data.ec2.internal',
  'printer.local',
  'router.home.arpa',
  '168.63.129.16',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.1.2.3',
  '240.0.0.1',
  '255.255.255.255',
  '[fc00::1]',
  '[fd12:3456:789a::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[2001:2::1]',
  '[2001:20::1]',
  '[5f00::1]',
  '[::8.8.8.8]',
]

describe('no connection is made', () => {
  test('to this machine, in any spelling', async () => {
    const servers = await listenOnLoopback()
    await using cleanUp = new AsyncDisposableStack()
    for (const server of servers) cleanUp.use(server)
    using connections = countConnections()
    const { outbound } = makeOutbound()
    const port = servers[0]?.port
    for (const host of spellingsOfThisMachine) {
      for (const url of [`http://${host}:${port}/`, `https://${host}:${port}/`]) {
        await expect(outbound.request(url), url).rejects.toMatchObject({
          code: 'outbound_refused',
          retryable: false,
        })
        await expect(outbound.checkUrl(url), url).rejects.toMatchObject({ code: 'outbound_refused' })
      }
    }
    expect(connections.count).toBe(0)
    expect(servers.flatMap(({ sockets }) => sockets)).toEqual([])
  })

  test.each(otherRefusedHosts)('to %s', async (host) => {
    using connections = countConnections()
    const { outbound } = makeOutbound()
    await expect(outbound.request(`http://${host}/`)).rejects.toMatchObject({ code: 'outbound_refused' })
    await expect(outbound.stream(`https://${host}/`)).rejects.toMatchObject({ code: 'outbound_refused' })
    expect(connections.count).toBe(0)
  })

  test.each([
    'ftp://example.com/',
    'file:///etc/passwd',
    'http://user:password@example.com/',
    'http://user@example.com/',
    'http://[fe80::1%25lo]/',
    'http://[::1%lo]/',
    'http://127.0.0.1:0/',
    'http://8.8.8.8:0/',
    'http://8.8.8.8:22/',
    'http://8.8.8.8:25/',
    'http://8.8.8.8:6667/',
    'not an address',
  ])('for %s', async (url) => {
    using connections = countConnections()
    await expect(makeOutbound().outbound.request(url)).rejects.toMatchObject({ code: 'outbound_refused' })
    expect(connections.count).toBe(0)
  })

  test.each([
    [['10.0.0.5']],
    [['93.184.216.34', '127.0.0.1']],
    [['127.0.0.1', '93.184.216.34']],
    [['2606:4700::1111', 'fd00::1']],
    [['93.184.216.34', '::ffff:127.0.0.1']],
    [['::127.0.0.1']],
    [['fe80::1%eth0']],
    [['64:ff9b::7f00:1']],
    [['169.254.169.254']],
  ])('to a public name that resolves to %j', async (addresses) => {
    using connections = countConnections()
    const { outbound } = makeOutbound({ resolve: async () => addresses })
    await expect(outbound.request('http://public.example/')).rejects.toMatchObject({
      code: 'outbound_refused',
    })
    await expect(outbound.checkUrl('http://public.example/')).rejects.toMatchObject({
      code: 'outbound_refused',
    })
    expect(connections.count).toBe(0)
  })

  test('to the result of a second lookup: the first one is pinned', async () => {
    await using server = await serve((_request, response) => response.end('first'))
    using connections = countConnections()
    const answers = [['127.0.0.1'], ['10.0.0.1']]
    let lookUps = 0
    const resolve = async () => answers[lookUps++] ?? []
    const { outbound } = makeOutbound({ allow: ['127.0.0.1'], resolve })
    const url = `http://rebinding.example:${server.port}/`
    expect((await outbound.request(url)).body.toString()).toBe('first')
    expect(lookUps).toBe(1)
    expect(connections.count).toBe(1)
    // The next request resolves again; neither the DNS response nor the connection of the first is cached.
    await expect(outbound.request(url)).rejects.toMatchObject({ code: 'outbound_refused' })
    expect(connections.count).toBe(1)
  })
})

describe('a refusal', () => {
  test('tells the caller the reason, and only the log the address', async () => {
    const { outbound, lines } = makeOutbound({ resolve: async () => ['10.11.12.13'] })
    const error = await outbound
      .request('http://db.example/path?token=x')
      .catch((failure: unknown) => failure)
    expect(error).toMatchObject({
      message: 'Requests to this address are not allowed: it leads to a private network.',
      details: { reason: 'private' },
    })
    expect(JSON.stringify({ ...(error as object), cause: undefined })).not.toContain('10.11.12.13')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain('10.11.12.13')
    expect(lines[0]).not.toContain('/path')
  })

  test('differs from an unknown name', async () => {
    const notFound = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
    const { outbound } = makeOutbound({ resolve: () => Promise.reject(notFound) })
    await expect(outbound.request('http://nowhere.example/')).rejects.toMatchObject({
      code: 'outbound_unresolvable',
      retryable: true,
    })
    await expect(outbound.checkUrl('http://nowhere.example/')).rejects.toMatchObject({
      code: 'outbound_unresolvable',
    })
    const empty = makeOutbound({ resolve: async () => [] })
    await expect(empty.outbound.request('http://nowhere.example/')).rejects.toMatchObject({
      code: 'outbound_unresolvable',
    })
  })

  test('does not apply to a public address that is only checked', async () => {
    using connections = countConnections()
    const { outbound } = makeOutbound({ resolve: async () => ['93.184.216.34', '2606:2800:220:1::1'] })
    expect(await outbound.checkUrl('HTTPS://Example.com.:443/a#b')).toBe('https://example.com/a')
    expect(await outbound.checkUrl('http://8.8.8.8:8080/')).toBe('http://8.8.8.8:8080/')
    expect(connections.count).toBe(0)
  })
})

describe('a request with credentials', () => {
  test('needs https, or a host that the operator allows', async () => {
    using connections = countConnections()
    const { outbound } = makeOutbound({
      allow: ['trusted.example'],
      resolve: async () => ['93.184.216.34'],
    })
    const confidential = true
    const refused = { code: 'outbound_refused', details: { reason: 'not_encrypted' } }
    await expect(outbound.checkUrl('http://api.example/', { confidential })).rejects.toMatchObject(refused)
    for (const url of ['https://api.example/', 'http://trusted.example/'])
      expect(await outbound.checkUrl(url, { confidential })).toBe(url)
    expect(connections.count).toBe(0)
  })
})
