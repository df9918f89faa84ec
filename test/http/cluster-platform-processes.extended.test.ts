import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startModelNode } from '../support/model-node.ts'
import { patience } from '../support/patience.ts'
import { type RunningProcess, startProcess } from '../support/process.ts'
import { program } from '../support/program.ts'
import { createTestDatabase } from '../support/test-database.ts'

const key = 'a-key-of-at-least-twenty-characters'

/** The address a process printed behind a label. */
const urlOf = async (process: RunningProcess, label: string) =>
  /http\S+/.exec(await process.waitForLine(new RegExp(`^ *${label} +http`)))?.[0] ?? ''

// Two processes start one after the other.
test('a platform without its own cluster monitors the service it finds', {
  timeout: 120_000 * patience,
}, async () => {
  const shared = {
    PORT: '0',
    METRICS_PORT: '0',
    DISCOVERY_PORTS: '',
    CLUSTER_API_KEY: 'correct horse battery',
    KUBERNETES_SERVICE_HOST: '',
  }
  await using closing = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'cluster-'))
  closing.defer(() => rm(folder, { recursive: true }))
  await using node = await startModelNode()
  await using database = await createTestDatabase()
  await using cluster = await startProcess({
    file: program,
    args: ['cluster'],
    env: {
      ...shared,
      CLUSTER_PORT: '0',
      CLUSTER_NODES: node.url,
      CLUSTER_STATE_FILE: join(folder, 'cluster.json'),
    },
  })
  const { port } = new URL(await urlOf(cluster, 'Model cluster'))
  await using api = await startProcess({
    file: program,
    args: ['serve', '--role', 'api'],
    env: {
      ...shared,
      DATABASE_URL: database.url,
      TUTTI_API_KEY: key,
      RUNTIME_CLUSTER_HOST: '127.0.0.1',
      RUNTIME_CLUSTER_PORT: port,
    },
  })
  const url = await urlOf(api, 'Console')
  const ask = (method: string, path: string, body?: object) =>
    fetch(`${url}/api/cluster${path}`, {
      method,
      headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const readNode = async () => {
    const { nodes } = (await (await ask('GET', '/status')).json()) as {
      // Absent while the service does not respond.
      nodes?: { id: string; status: string }[]
    }
    return nodes?.[0]
  }

  await eventually(async () => (await readNode())?.status === 'healthy', 100)
  const drained = await ask('PATCH', `/nodes/${(await readNode())?.id}`, { draining: true })
  expect(await drained.json()).toMatchObject({ url: node.url, status: 'draining' })

  // The service stores who of the platform did it, not the platform's key.
  const stored = JSON.parse(await readFile(join(folder, 'cluster.json'), 'utf8')) as {
    nodes: { changed_by: string }[]
  }
  expect(stored.nodes).toMatchObject([
    { draining: true, changed_by: expect.stringMatching(/^(?!cluster-api-key)./) },
  ])

  await cluster.kill()
  const refused = await ask('GET', '/status')
  expect([refused.status, await refused.json()]).toMatchObject([
    503,
    { error: { code: 'cluster_unreachable', message: expect.stringContaining(`127.0.0.1:${port}`) } },
  ])
})

// Three processes start one after the other.
test('replicas of a platform share nodes, weights, drains and the strategy, also after a restart', {
  timeout: 180_000 * patience,
}, async () => {
  await using node = await startModelNode()
  await using database = await createTestDatabase()
  const startReplica = async () => {
    const child = await startProcess({
      file: program,
      args: ['serve'],
      env: {
        PORT: '0',
        METRICS_PORT: '0',
        CLUSTER_PORT: '0',
        DISCOVERY_PORTS: '',
        KUBERNETES_SERVICE_HOST: '',
        DATABASE_URL: database.url,
        TUTTI_API_KEY: key,
      },
    })
    const url = await urlOf(child, 'Console')
    const clusterUrl = await urlOf(child, 'Model cluster')
    const ask = (method: string, path: string, body?: object) =>
      fetch(`${url}/api/cluster${path}`, {
        method,
        headers: { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
    const read = async () =>
      (await (await ask('GET', '/status')).json()) as {
        instance: string
        strategy: string
        nodes: { id: string; status: string; weight: number }[]
      }
    return { child, clusterUrl, ask, read, [Symbol.asyncDispose]: () => child[Symbol.asyncDispose]() }
  }
  await using first = await startReplica()
  await using second = await startReplica()
  const added = await first.ask('POST', '/nodes', { url: node.url, weight: 2 })
  expect(added.status).toBe(201)
  const { id } = (await added.json()) as { id: string }
  await eventually(async () => (await second.read()).nodes[0]?.status === 'healthy', 100)
  // The model is known at the replica where the node was not added.
  const shown = await fetch(`${second.clusterUrl}/api/show`, {
    method: 'POST',
    body: JSON.stringify({ model: 'gemma3:4b' }),
  })
  expect(shown.status).toBe(200)
  await shown.text()

  expect((await second.ask('PATCH', `/nodes/${id}`, { weight: 7, draining: true })).status).toBe(200)
  expect((await second.ask('PUT', '/strategy', { strategy: 'least-latency' })).status).toBe(200)
  const expected = {
    strategy: 'least-latency',
    nodes: [{ id, status: 'draining', weight: 7, source: 'runtime', changed_by: expect.any(String) }],
  }
  await eventually(async () => (await first.read()).strategy === 'least-latency', 100)
  const [one, two] = [await first.read(), await second.read()]
  expect(one).toMatchObject(expected)
  expect(two).toMatchObject(expected)
  expect(one.instance).not.toBe(two.instance)

  await first.child.kill()
  await using third = await startReplica()
  expect(await third.read()).toMatchObject(expected)
  expect((await third.ask('DELETE', `/nodes/${id}`)).status).toBe(204)
  await eventually(async () => (await second.read()).nodes.length === 0, 100)
})
