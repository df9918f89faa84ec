import { describe, expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { UserError } from '#kernel/errors'
import { clusterSettings, resolveClusterSettings } from './settings.ts'

const resolve = (environment: Record<string, string> = {}, production = false) =>
  resolveClusterSettings(readSettings(clusterSettings, environment), { production })

const resolveInPlatform = (environment: Record<string, string>) =>
  resolveClusterSettings(readSettings(clusterSettings, environment), {
    production: false,
    knowsAccounts: true,
  })

function mistakeIn(environment: Record<string, string>): string {
  try {
    resolve(environment)
  } catch (error) {
    if (error instanceof UserError) return error.message
    throw error
  }
  return 'no mistake'
}

describe('the settings of the cluster', () => {
  test('have defaults: loopback, port 3001, four ports of this machine, a probe every 30 s', () => {
    expect(resolve()).toEqual({
      host: '127.0.0.1',
      port: 3001,
      apiKey: undefined,
      platformUrl: undefined,
      mustSayWho: false,
      intervalMs: 30_000,
      kubernetes: undefined,
      requests: {
        strategy: 'round-robin',
        maxRetries: 3,
        firstByteMs: 600_000,
        stallMs: 120_000,
        nodeConcurrency: 64,
        loadedLimit: 8,
        continueStreams: false,
        queueLimit: 512,
        queueWaitMs: 300_000,
        bodyLimitBytes: 1_048_576,
        sessionHeader: 'x-session-id',
      },
      addresses: [11434, 11435, 11436, 11437].map((port) => ({
        url: `http://localhost:${port}`,
        weight: 1,
        source: 'discovery',
      })),
    })
  })

  test('probe twice as often in production, unless an interval is set', () => {
    expect(resolve({}, true).intervalMs).toBe(15_000)
    expect(resolve({}, true).requests.maxRetries).toBe(5)
    expect(resolve({ CLUSTER_MAX_RETRIES: '0' }, true).requests.maxRetries).toBe(0)
    expect(resolve({ HEALTH_CHECK_INTERVAL: '500' }, true).intervalMs).toBe(500)
    expect(resolve({ HEALTH_CHECK_INTERVAL: '2m' }).intervalMs).toBe(120_000)
  })

  test('list configured nodes first, and no port twice', () => {
    const { addresses } = resolve({
      CLUSTER_NODES: 'http://gpu1:11434=2, http://127.0.0.1:11434',
      DISCOVERY_PORTS: '11434,11435,11435',
    })
    expect(addresses).toEqual([
      { url: 'http://gpu1:11434', weight: 2, source: 'config' },
      { url: 'http://127.0.0.1:11434', weight: 1, source: 'config' },
      { url: 'http://localhost:11435', weight: 1, source: 'discovery' },
    ])
  })

  test('discover pods when enabled, with the service account of the pod', () => {
    expect(resolve({ KUBERNETES_DISCOVERY: 'true' }).kubernetes).toEqual({
      api: 'https://kubernetes.default.svc',
      service: 'model-nodes',
      namespace: undefined,
      accountDir: '/var/run/secrets/kubernetes.io/serviceaccount',
    })
    expect(resolve({ KUBERNETES_DISCOVERY: 'false' }).kubernetes).toBeUndefined()
    expect(() => resolve({ KUBERNETES_NODE_SERVICE: '../secrets' })).toThrow('KUBERNETES_NODE_SERVICE')
  })

  test('discover nothing when the list of ports is empty', () => {
    expect(resolve({ DISCOVERY_PORTS: '' }).addresses).toEqual([])
  })

  test('never discover the service itself', () => {
    const { addresses } = resolve({ CLUSTER_PORT: '11435' })
    expect(addresses.map(({ url }) => url)).not.toContain('http://localhost:11435')
    expect(addresses).toHaveLength(3)
  })

  test.each(['127.0.0.1', '127.8.8.8', 'localhost', '::1', '[::1]'])(
    'require no authentication on %s',
    (host) => {
      expect(resolve({ CLUSTER_HOST: host })).toMatchObject({ host, mustSayWho: false })
      expect(resolveInPlatform({ CLUSTER_HOST: host })).toMatchObject({ mustSayWho: false })
    },
  )

  test.each(['0.0.0.0', '::', '10.0.0.5', 'cluster.example.com'])('require authentication on %s', (host) => {
    expect(mistakeIn({ CLUSTER_HOST: host })).toBe(
      `CLUSTER_HOST is ${host}, which other machines can reach: set CLUSTER_API_KEY or CLUSTER_PLATFORM_URL as well, or listen on 127.0.0.1`,
    )
    expect(resolve({ CLUSTER_HOST: host, CLUSTER_API_KEY: 'sesame' })).toMatchObject({
      apiKey: 'sesame',
      mustSayWho: true,
    })
    expect(resolve({ CLUSTER_HOST: host, CLUSTER_PLATFORM_URL: 'https://tutti.example/' })).toMatchObject({
      platformUrl: 'https://tutti.example',
      mustSayWho: true,
    })
    expect(resolveInPlatform({ CLUSTER_HOST: host })).toMatchObject({ apiKey: undefined, mustSayWho: true })
  })

  test('require authentication on loopback too, once a key or a platform is set', () => {
    expect(resolve({ CLUSTER_API_KEY: 'sesame' }).mustSayWho).toBe(true)
    expect(resolve({ CLUSTER_PLATFORM_URL: 'http://localhost:3000' }).mustSayWho).toBe(true)
  })

  test('use no remote platform when the accounts are in this process', () => {
    expect(resolveInPlatform({ CLUSTER_PLATFORM_URL: 'http://localhost:3000' })).toMatchObject({
      platformUrl: undefined,
      mustSayWho: false,
    })
  })

  test.each([
    [
      { CLUSTER_NODES: 'http://gpu1,gpu2:11434' },
      'CLUSTER_NODES has "gpu2:11434", which must start with http',
    ],
    [{ CLUSTER_NODES: 'http://gpu1=0' }, 'CLUSTER_NODES has "http://gpu1=0", whose weight must be'],
    [{ CLUSTER_NODES: 'http://gpu1,http://gpu1/=3' }, 'CLUSTER_NODES has http://gpu1 twice'],
    [
      { CLUSTER_NODES: 'http://localhost:3001' },
      'CLUSTER_NODES has http://localhost:3001, which is the cluster service',
    ],
    [
      { DISCOVERY_PORTS: '11434,ollama' },
      'DISCOVERY_PORTS has "ollama", which is not a port from 1 to 65535',
    ],
    [{ DISCOVERY_PORTS: '70000' }, 'DISCOVERY_PORTS has "70000"'],
    [{ HEALTH_CHECK_INTERVAL: 'often' }, 'HEALTH_CHECK_INTERVAL must be a duration'],
    [{ HEALTH_CHECK_INTERVAL: '0' }, 'HEALTH_CHECK_INTERVAL must be from 10ms to 1d'],
    [{ HEALTH_CHECK_INTERVAL: '90d' }, 'HEALTH_CHECK_INTERVAL must be from 10ms to 1d'],
    [
      { CLUSTER_PLATFORM_URL: 'tutti.example' },
      'CLUSTER_PLATFORM_URL must be an address starting with https:// or http://',
    ],
    [{ CLUSTER_PLATFORM_URL: 'http://nadia:pw@tutti' }, 'CLUSTER_PLATFORM_URL must not carry a user name'],
    [{ CLUSTER_PLATFORM_URL: 'http://tutti?a=b' }, 'CLUSTER_PLATFORM_URL must end before any "?"'],
    [{ CLUSTER_PORT: '99999' }, 'CLUSTER_PORT must be a whole number'],
  ])('%o is refused with a one-line error', (environment, message) => {
    const said = mistakeIn(environment)
    expect(said).toContain(message)
    expect(said).not.toContain('\n')
  })
})
