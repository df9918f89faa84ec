import { generate } from 'selfsigned'
import { describe, expect, test } from 'vitest'
import { startClusterService, type TestClusterService, waitForNodes } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import { startModelNode, startMortalModelNode } from '../support/model-node.ts'
import { type Certificate, startKubernetesApi } from './cluster-kubernetes-api.ts'

/** A certificate for an address of this machine, signed by an authority of its own. */
async function certify(ip = '127.0.0.1'): Promise<Certificate> {
  const authority = await generate([{ name: 'commonName', value: `authority ${Math.random()}` }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'keyUsage', keyCertSign: true },
    ],
  })
  const signed = await generate([{ name: 'commonName', value: 'kubernetes' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ca: { key: authority.private, cert: authority.cert },
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'subjectAltName', altNames: [{ type: 7, ip }] },
    ],
  })
  return { key: signed.private, cert: signed.cert, ca: authority.cert }
}

async function readiness(service: TestClusterService) {
  const answer = await service.get('/readyz')
  const { checks } = (await answer.json()) as { checks: { nodes: string } }
  return { status: answer.status, nodes: checks.nodes }
}

const notKnown = 'Kubernetes has not listed the pods yet'

describe('a Kubernetes API with a certificate', () => {
  test('is called when the authority of the service account signed it', async () => {
    await using node = await startModelNode()
    await using api = await startKubernetesApi(await certify())
    api.put('pods-1', [{ port: node.port }])
    await using service = await startClusterService({ environment: api.environment, timeoutMs: 20_000 })
    await waitForNodes(service.cluster, ([first]) => first?.status === 'healthy')
    await eventually(() => api.watchers === 1)
    expect(api.requests).toEqual(['list null', 'watch 101'])
  })

  test('is not called when another authority did, which is logged, until the right one is there', async () => {
    await using node = await startModelNode()
    const certificate = await certify()
    await using api = await startKubernetesApi(certificate)
    api.put('pods-1', [{ port: node.port }])
    await api.trust((await certify()).ca)
    const logged: string[] = []
    await using service = await startClusterService({
      environment: api.environment,
      timeoutMs: 20_000,
      logged,
    })
    await eventually(() => logged.some((line) => line.includes('Kubernetes API unreachable')))
    expect(logged.join('')).toMatch(/certificate/)
    expect(await readiness(service)).toEqual({
      status: 503,
      nodes: expect.stringMatching(`^${notKnown}: .*certificate`),
    })
    expect(api.requests).toEqual([])
    expect(service.cluster.nodes()).toEqual([])
    await api.trust(certificate.ca)
    await waitForNodes(service.cluster, ([first]) => first?.status === 'healthy')
  })

  test('is not called when the certificate is for another address', async () => {
    await using api = await startKubernetesApi(await certify('10.9.8.7'))
    const logged: string[] = []
    await using service = await startClusterService({ environment: api.environment, logged })
    await eventually(() => logged.some((line) => line.includes('does not match certificate')))
    expect(api.requests).toEqual([])
    expect((await readiness(service)).status).toBe(503)
  })

  test('is not called when there is no authority to verify it', async () => {
    await using api = await startKubernetesApi(await certify())
    const environment = { ...api.environment, KUBERNETES_SERVICE_ACCOUNT: '/nowhere' }
    await using service = await startClusterService({ environment })
    await eventually(async () => (await readiness(service)).nodes !== notKnown)
    expect(await readiness(service)).toEqual({
      status: 503,
      nodes: `${notKnown}: ENOENT: no such file or directory, open '/nowhere/ca.crt'`,
    })
  })
})

describe('the token of the service account', () => {
  test('is read again for each request, so that a renewed one is used', async () => {
    await using api = await startKubernetesApi()
    await using service = await startClusterService({ environment: api.environment })
    await eventually(() => api.watchers === 1)
    await api.renewToken('second')
    api.endWatches()
    await eventually(() => api.requests.length === 3 && api.watchers === 1)
    await api.renewToken('third')
    api.expire()
    await eventually(() => api.requests.length === 5 && api.watchers === 1)
    // After a refusal the list would have been requested again.
    expect(api.requests).toEqual(['list null', 'watch 100', 'watch 100', 'list null', 'watch 101'])
    expect(service.cluster.nodes()).toEqual([])
  })
})

describe('readiness with pod discovery', () => {
  test('requires the pod list and a probe of each, and names the missing condition', async () => {
    await using node = await startMortalModelNode()
    await using api = await startKubernetesApi()
    api.fail(403)
    api.put('pods-1', [{ port: node.port }])
    await using service = await startClusterService({ environment: api.environment, timeoutMs: 20_000 })
    await eventually(async () => (await readiness(service)).nodes !== notKnown)
    expect(await readiness(service)).toEqual({
      status: 503,
      nodes: `${notKnown}: the Kubernetes API answered with status 403: the service account may not list and watch endpointslices`,
    })
    expect((await service.get('/healthz')).status).toBe(200)
    await node.behave('hang')
    api.fail(undefined)
    await eventually(() => service.cluster.nodes().length === 1)
    expect(await readiness(service)).toEqual({ status: 503, nodes: 'not every node has been asked yet' })
    await node.behave('normal')
    await node.kill()
    await eventually(async () => (await readiness(service)).status === 200)
  })

  test('is reached with the known nodes, when Kubernetes does not respond in time', async () => {
    await using node = await startModelNode()
    await using api = await startKubernetesApi()
    api.fail(500)
    const logged: string[] = []
    await using service = await startClusterService({
      environment: { ...api.environment, CLUSTER_NODES: node.url },
      timeoutMs: 20_000,
      podsWaitMs: 300,
      logged,
    })
    await waitForNodes(service.cluster, ([first]) => first?.status === 'healthy')
    await eventually(async () => (await readiness(service)).status === 200)
    expect(logged.join('')).toContain('requests no longer wait for them')
    api.fail(undefined)
    api.put('pods-1', [{ port: 9 }])
    await waitForNodes(service.cluster, (nodes) => nodes.length === 2)
    expect((await readiness(service)).status).toBe(200)
  })

  test('delays a request until the pods are known instead of refusing it', async () => {
    await using node = await startModelNode()
    await using api = await startKubernetesApi()
    api.put('pods-1', [{ port: node.port }])
    await using service = await startClusterService({ environment: api.environment, timeoutMs: 20_000 })
    const answer = await service.post('/api/generate', { model: 'gemma3:4b', stream: false })
    expect(answer.status).toBe(200)
  })
})
