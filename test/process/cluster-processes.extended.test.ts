import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { startModelNode } from '../support/model-node.ts'
import { basicAuth, startPlatform } from '../support/platform.ts'
import { startProcess } from '../support/process.ts'
import { program } from '../support/program.ts'

const key = { 'x-api-key': 'correct horse' }

/** Starts `tutti cluster` with two processes. */
async function startTwo(env: Readonly<Record<string, string>>) {
  await using closing = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'cluster-'))
  closing.defer(() => rm(folder, { recursive: true }))
  const child = closing.use(
    await startProcess({
      file: program,
      args: ['cluster'],
      env: {
        TUTTI_WORKERS: '2',
        CLUSTER_PORT: '0',
        METRICS_PORT: '0',
        DISCOVERY_PORTS: '',
        CLUSTER_API_KEY: key['x-api-key'],
        CLUSTER_PLATFORM_URL: undefined,
        CLUSTER_STATE_FILE: join(folder, 'cluster.json'),
        LOG_LEVEL: 'info',
        LOG_FORMAT: 'json',
        ...env,
      },
    }),
  )
  const find = async (pattern: RegExp) => /http\S+/.exec(await child.waitForLine(pattern))?.[0] ?? ''
  const url = await find(/^\s+Model cluster/)
  const metricsUrl = await find(/^\s+Metrics/)
  await eventually(async () => (await fetch(new URL('/readyz', metricsUrl))).status === 200, 50)
  const opened = closing.move()
  return { child, url, metricsUrl, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

interface Answer {
  readonly status: number
  readonly text: string
}

/** Sends a request on a connection of its own, which the supervisor gives to the next process. */
async function sendAlone(
  url: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<Answer> {
  const sent = request(url, {
    agent: false,
    ...(body === undefined
      ? { headers }
      : { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } }),
  })
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, text: await readText(response) }
}

const work = { model: 'gemma3:4b', stream: false, options: { num_predict: 1 } }

/** The process ids of the processes that answer. */
async function findProcesses(url: string): Promise<Set<number>> {
  const ids = new Set<number>()
  for (let count = 0; count < 4; count += 1) {
    const { text } = await sendAlone(`${url}/api/cluster/nodes`, key)
    ids.add(Number((JSON.parse(text) as { instance: string }).instance.split('-').at(-1)))
  }
  return ids
}

test('several processes serve the port of a cluster, follow its operators, and are replaced without a failed request', async () => {
  await using node = await startModelNode()
  await using other = await startModelNode()
  await using command = await startTwo({ CLUSTER_NODES: node.url })
  const before = await findProcesses(command.url)
  expect(before.size).toBe(2)
  for (let count = 0; count < 4; count += 1)
    expect(await sendAlone(`${command.url}/api/generate`, key, work)).toMatchObject({ status: 200 })
  const metrics = await (await fetch(command.metricsUrl)).text()
  for (const name of ['1', '2'])
    expect(metrics).toMatch(
      new RegExp(`tutti_cluster_tokens_total\\{.*kind="completion",process="${name}"\\} [1-9]`),
    )
  expect(metrics).toContain('tutti_processes_serving{process="supervisor"} 2')

  // Both follow a change that an operator makes at one of them.
  expect(await sendAlone(`${command.url}/api/cluster/nodes`, key, { url: other.url })).toMatchObject({
    status: 201,
  })
  await eventually(async () => {
    const seen = [
      await sendAlone(`${command.url}/api/cluster/nodes`, key),
      await sendAlone(`${command.url}/api/cluster/nodes`, key),
    ]
    return seen.every(({ text }) => text.includes(other.url))
  })

  const done = new AbortController()
  const statuses: unknown[] = []
  const callers = Array.from({ length: 4 }, async () => {
    while (!done.signal.aborted) {
      const response = await fetch(`${command.url}/api/generate`, {
        method: 'POST',
        headers: key,
        body: JSON.stringify(work),
      }).catch((error: Error) => ({ status: error.cause ?? error, text: async () => '' }))
      await response.text()
      statuses.push(response.status)
    }
  })
  process.kill(command.child.pid, 'SIGUSR2')
  await command.child.waitForLine(/"replaced":"2"/)
  done.abort()
  await Promise.all(callers)
  expect(statuses.filter((status) => status !== 200)).toEqual([])
  expect(statuses.length).toBeGreaterThan(10)
  const after = await findProcesses(command.url)
  expect([...after].filter((id) => before.has(id))).toEqual([])

  // A killed process comes back.
  const [killed = 0] = after
  process.kill(killed, 'SIGKILL')
  await command.child.waitForLine(/a process ended, starting it again/)
  await eventually(async () => {
    const ids = await findProcesses(command.url).catch(() => new Set<number>())
    return ids.size === 2 && !ids.has(killed)
  })
  expect(await command.child.kill('SIGTERM')).toEqual({ code: 0, signal: null })
})

test('a connection that a killed process had not accepted is served by another', async () => {
  await using node = await startModelNode()
  await using command = await startTwo({ CLUSTER_NODES: node.url })
  const [frozen = 0] = await findProcesses(command.url)
  process.kill(frozen, 'SIGSTOP')
  // The frozen process is handed one of three connections; the other process answers the others.
  let answered = 0
  const requests = Array.from({ length: 3 }, async () => {
    const { status } = await sendAlone(`${command.url}/api/cluster/nodes`, key)
    answered += 1
    return status
  })
  await eventually(async () => answered === 2)
  process.kill(frozen, 'SIGKILL')
  expect(await Promise.all(requests)).toEqual([200, 200, 200])
})

test('the limits of an API key hold for all processes together', async () => {
  await using node = await startModelNode()
  await using platform = await startPlatform({ CLUSTER_NODES: node.url })
  await using command = await startTwo({ CLUSTER_NODES: node.url, CLUSTER_PLATFORM_URL: platform.url })
  const callWith = async (limits: object) => {
    const made = await fetch(`${platform.url}/api/v1/api-keys`, {
      method: 'POST',
      headers: { ...basicAuth(platform), 'content-type': 'application/json' },
      body: JSON.stringify({ name: JSON.stringify(limits), limits }),
    })
    const limited = { 'x-api-key': ((await made.json()) as { key: string }).key }
    return async () => (await sendAlone(`${command.url}/api/generate`, limited, work)).status
  }
  const byRequests = await callWith({ requests_per_minute: 2 })
  expect([await byRequests(), await byRequests(), await byRequests()]).toEqual([200, 200, 429])
  // Tokens are counted when a response has ended.
  const byTokens = await callWith({ tokens_per_minute: 1 })
  expect(await byTokens()).toBe(200)
  await eventually(async () => (await byTokens()) === 429)
})
