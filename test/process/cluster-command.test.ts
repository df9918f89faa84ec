import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type ModelNode, startModelNode } from '../support/model-node.ts'
import { basicAuth, startPlatform } from '../support/platform.ts'
import { type RunningProcess, startProcess } from '../support/process.ts'
import { program } from '../support/program.ts'

const model = 'gemma3:4b'

interface Command {
  readonly child: RunningProcess
  readonly url: string
  readonly metricsUrl: string
}

async function startCommand(
  node: ModelNode,
  env: Readonly<Record<string, string>> = {},
): Promise<Command & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'cluster-'))
  const child = await startProcess({
    file: program,
    args: ['cluster'],
    env: {
      CLUSTER_PORT: '0',
      METRICS_PORT: '0',
      DISCOVERY_PORTS: '',
      CLUSTER_NODES: node.url,
      CLUSTER_API_KEY: undefined,
      CLUSTER_PLATFORM_URL: undefined,
      CLUSTER_STATE_FILE: join(folder, 'cluster.json'),
      LOG_LEVEL: 'warn',
      ...env,
    },
  })
  const find = async (pattern: RegExp) => /http\S+/.exec(await child.waitForLine(pattern))?.[0] ?? ''
  const url = await find(/Model cluster/)
  const metricsUrl = await find(/Metrics/)
  await eventually(async () => (await fetch(`${url}/readyz`)).status === 200, 50)
  return {
    child,
    url,
    metricsUrl,
    async [Symbol.asyncDispose]() {
      await child[Symbol.asyncDispose]()
      await rm(folder, { recursive: true })
    },
  }
}

const generate = (url: string, count: number, headers: Readonly<Record<string, string>> = {}) =>
  fetch(`${url}/api/generate`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ model, options: { num_predict: count, token_delay_ms: 20 } }),
  })

describe('tutti cluster', () => {
  test('proxies requests, serves its metrics, and lets a stream end on SIGTERM', async () => {
    await using node = await startModelNode()
    await using command = await startCommand(node)
    const response = await generate(command.url, 25)
    expect(response.status).toBe(200)
    const metrics = await (await fetch(command.metricsUrl)).text()
    expect(metrics).toMatch(/tutti_cluster_node_healthy\{node="localhost-\d+-[0-9a-f]{6}"\} 1/)
    expect(metrics).toContain('tutti_cluster_first_byte_seconds_count')
    const exit = command.child.kill('SIGTERM')
    expect((await response.text()).trimEnd().split('\n')).toHaveLength(26)
    expect(await exit).toEqual({ code: 0, signal: null })
    expect(command.child.stderr).toEqual([])
  })

  test('aborts the work of its callers when it is killed', async () => {
    await using node = await startModelNode()
    await using command = await startCommand(node)
    const response = await generate(command.url, 100_000)
    await eventually(async () => (await node.stats()).working === 1)
    await command.child.kill()
    await expect(response.text()).rejects.toThrow('terminated')
    await eventually(async () => (await node.stats()).working === 0)
  })
})

/** Sends a request of an operator with the key. */
const send = (url: string, method: string, path: string, body?: object) =>
  fetch(`${url}/api/cluster${path}`, {
    method,
    headers: {
      'x-api-key': 'correct horse',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })

describe('the changes of operators', () => {
  test('are in a file and in force again after kill -9', async () => {
    await using node = await startModelNode()
    await using other = await startModelNode()
    await using closing = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'cluster-'))
    closing.defer(() => rm(folder, { recursive: true }))
    const env = {
      CLUSTER_STATE_FILE: join(folder, 'not', 'there', 'cluster.json'),
      CLUSTER_API_KEY: 'correct horse',
    }
    const nodesOf = async (url: string) =>
      ((await (await send(url, 'GET', '/nodes')).json()) as { nodes: { id: string }[] }).nodes
    {
      await using command = await startCommand(node, env)
      const [first] = await nodesOf(command.url)
      expect((await send(command.url, 'POST', '/nodes', { url: other.url, weight: 4 })).status).toBe(201)
      expect((await send(command.url, 'PATCH', `/nodes/${first?.id}`, { draining: true })).status).toBe(200)
      expect((await send(command.url, 'PUT', '/strategy', { strategy: 'weighted' })).status).toBe(200)
      await command.child.kill()
    }
    await using command = await startCommand(node, env)
    const changed = { changed_by: 'cluster-api-key', changed_at: expect.stringMatching(/^\d{4}-.*Z$/) }
    expect(await nodesOf(command.url)).toMatchObject([
      { url: node.url, status: 'draining', source: 'config', ...changed },
      { url: other.url, weight: 4, source: 'runtime', ...changed },
    ])
    const strategy = await (await send(command.url, 'GET', '/strategy')).json()
    expect(strategy).toMatchObject({ strategy: 'weighted', uses_weights: true, ...changed })
    expect(JSON.parse(await readFile(env.CLUSTER_STATE_FILE, 'utf8'))).toMatchObject({ version: 1 })
  })

  test('in a file that is none keep the service from starting, and the error names the file', async () => {
    await using closing = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'cluster-'))
    closing.defer(() => rm(folder, { recursive: true }))
    const stateFile = join(folder, 'cluster.json')
    await writeFile(stateFile, '{"version":1,"nodes":[{}]}')
    await using child = await startProcess({
      file: program,
      args: ['cluster'],
      env: { CLUSTER_PORT: '0', METRICS_PORT: '0', DISCOVERY_PORTS: '', CLUSTER_STATE_FILE: stateFile },
    })
    expect(await child.exit).toEqual({ code: 1, signal: null })
    expect(child.stderr.join()).toContain(
      `${stateFile} is not a file of cluster changes. Correct or remove it.`,
    )
  })
})

describe('a cluster that other machines can reach', () => {
  const everywhere = { CLUSTER_HOST: '0.0.0.0' }

  test('accepts the accounts of its platform, inside it and alone', async () => {
    await using node = await startModelNode()
    await using platform = await startPlatform({ ...everywhere, CLUSTER_NODES: node.url })
    await using alone = await startCommand(node, { ...everywhere, CLUSTER_PLATFORM_URL: platform.url })
    await eventually(async () => (await fetch(`${platform.clusterUrl}/readyz`)).status === 200, 50)
    for (const url of [platform.clusterUrl, alone.url]) {
      expect((await generate(url, 1)).status).toBe(401)
      expect((await generate(url, 1, { 'x-api-key': 'sesame' })).status).toBe(401)
      expect((await generate(url, 1, basicAuth(platform))).status).toBe(200)
      expect((await node.stats()).lastWork?.headers).not.toHaveProperty('authorization')
      const added = await fetch(`${url}/api/cluster/nodes`, {
        method: 'POST',
        headers: { ...basicAuth(platform), 'content-type': 'application/json' },
        body: JSON.stringify({ url: 'http://127.0.0.1:9' }),
      })
      expect(added.status).toBe(201)
    }
    await platform[Symbol.asyncDispose]()
    const refused = await generate(alone.url, 1, { 'x-api-key': 'another' })
    expect(refused.status).toBe(503)
    expect(await alone.child.kill('SIGTERM')).toEqual({ code: 0, signal: null })
  })

  test('does not start without any authentication', async () => {
    const env = { ...everywhere, CLUSTER_API_KEY: undefined, CLUSTER_PLATFORM_URL: undefined }
    await using child = await startProcess({ file: program, args: ['cluster'], env })
    expect(await child.exit).toEqual({ code: 1, signal: null })
    expect(child.stderr).toEqual([
      expect.stringContaining('set CLUSTER_API_KEY or CLUSTER_PLATFORM_URL as well, or listen on 127.0.0.1'),
    ])
  })
})
