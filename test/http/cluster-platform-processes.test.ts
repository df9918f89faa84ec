import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startModelNode } from '../support/model-node.ts'
import { type RunningProcess, startProcess } from '../support/process.ts'
import { createTestDatabase } from '../support/test-database.ts'

const cli = new URL('../../src/app/cli.ts', import.meta.url)
const key = 'a-key-of-at-least-twenty-characters'

/** The address a process printed behind a label. */
const urlOf = async (process: RunningProcess, label: string) =>
  /http\S+/.exec(await process.waitForLine(new RegExp(`^ *${label} +http`), 60_000))?.[0] ?? ''

// Two processes start one after the other.
test('a platform without its own cluster monitors the service it finds', {
  timeout: 120_000,
}, async () => {
  const shared = {
    PORT: '0',
    METRICS_PORT: '0',
    DISCOVERY_PORTS: '',
    CLUSTER_API_KEY: 'correct horse battery',
    KUBERNETES_SERVICE_HOST: '',
  }
  await using node = await startModelNode()
  await using database = await createTestDatabase()
  await using cluster = await startProcess({
    file: cli,
    args: ['cluster'],
    env: { ...shared, CLUSTER_PORT: '0', CLUSTER_NODES: node.url },
  })
  const { port } = new URL(await urlOf(cluster, 'Model cluster'))
  await using api = await startProcess({
    file: cli,
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
      nodes: { id: string; status: string }[]
    }
    return nodes[0]
  }

  await eventually(async () => (await readNode())?.status === 'healthy', 100)
  const drained = await ask('PATCH', `/nodes/${(await readNode())?.id}`, { draining: true })
  expect(await drained.json()).toMatchObject({ url: node.url, status: 'draining' })

  await cluster.kill()
  const refused = await ask('GET', '/status')
  expect([refused.status, await refused.json()]).toMatchObject([
    503,
    { error: { code: 'cluster_unreachable', message: expect.stringContaining(`127.0.0.1:${port}`) } },
  ])
})
