import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { createTutti, type StreamEvent, type Tutti, TuttiError } from '@tutti/client'
import { readWebhook, WebhookRefused } from '@tutti/client/webhooks'
import { beforeAll, describe, expect, test } from 'vitest'
import { addAccountWithKey } from '../support/accounts.ts'
import { type SharedPlatform, sharePlatform } from '../support/shared-platform.ts'

const run = promisify(execFile)

let platform: SharedPlatform
let apiKey: string
let tutti: Tutti

beforeAll(async () => {
  platform = await sharePlatform()
  apiKey = (await addAccountWithKey(platform.database, { roles: ['administrator'] })).key
  tutti = createTutti({ url: platform.url, apiKey })
})

/** A platform whose connection fails in a given way before, or after, the request has reached it. */
function through(
  fail: (request: Request, count: number) => Promise<Response | 'sent' | undefined>,
): Tutti & { readonly requests: Request[] } {
  const requests: Request[] = []
  const client = createTutti({
    url: platform.url,
    apiKey,
    async fetch(request) {
      requests.push(request)
      const outcome = await fail(request.clone(), requests.length)
      if (outcome === 'sent') {
        await (await fetch(request)).arrayBuffer()
        throw new TypeError('the connection was reset')
      }
      return outcome ?? (await fetch(request))
    },
  })
  return Object.assign(client, { requests })
}

async function saveFlow(steps: readonly object[]): Promise<string> {
  const id = `sdk_${randomUUID().slice(0, 8)}`
  const flow_definition = { id, label: 'A flow of the client', steps } as never
  await tutti.post('/ai-workflows/api/flows', { body: { flow_definition } })
  return id
}

const greet = {
  id: 'greet',
  type: 'data_transform',
  transformations: [{ operation: 'generate_summary', template: 'Hello {{context.name}}' }],
}

async function runExample(name: string): Promise<string> {
  const file = new URL(`../../sdk/typescript/examples/${name}.ts`, import.meta.url).pathname
  const env = { ...process.env, TUTTI_URL: platform.url, TUTTI_API_KEY: apiKey }
  return (await run(process.execPath, ['--disable-warning=ExperimentalWarning', file], { env })).stdout
}

describe('examples', () => {
  test('run a flow', async () => {
    const output = await runExample('run-a-flow')
    expect(output).toContain('execution_started\n')
    expect(output).toMatch(/execution_completed\ncompleted Hello Ada\n$/)
  })

  test('list failed executions over several pages', async () => {
    const flow = await saveFlow([{ id: 'jump', type: 'external_api', api: { url: 'http://127.0.0.1:9/' } }])
    for (let count = 0; count < 3; count += 1) {
      expect((await tutti.runFlow({ flow_id: flow, context: {} })).status).toBe('failed')
    }
    const output = await runExample('list-failed-executions')
    expect(output.split('\n').filter((line) => line.endsWith(flow))).toHaveLength(3)
    expect(output).toMatch(/\d+ failed\n$/)
  })

  test('stream a model', async () => {
    expect((await runExample('stream-a-model')).trim().length).toBeGreaterThan(10)
  })
})

describe('errors', () => {
  test('have the status, code, message and problems of the platform', async () => {
    const unknown = await tutti
      .get('/ai-workflows/api/flows/{id}', { params: { path: { id: 'not-there' } } })
      .catch((error: unknown) => error)
    expect(unknown).toBeInstanceOf(TuttiError)
    expect(unknown).toMatchObject({ status: 404, requestId: expect.any(String) })
    const wrong = await tutti
      .post('/ai-workflows/api/execute-flow', { body: { flow_id: 7 } as never })
      .catch((error: unknown) => error)
    expect(wrong).toMatchObject({ status: 400 })
    expect((wrong as TuttiError).message).toContain('flow_id')
  })

  test('say when no platform responds', async () => {
    const absent = createTutti({ url: 'http://127.0.0.1:9', maxRetries: 0 })
    await expect(absent.get('/healthz')).rejects.toMatchObject({
      status: 0,
      code: 'unreachable',
      message: 'The platform at http://127.0.0.1:9 did not respond.',
    })
  })

  test('of a wrong key are not retried', async () => {
    let requests = 0
    const stranger = createTutti({
      url: platform.url,
      apiKey: 'tk_wrong',
      fetch(request) {
        requests += 1
        return fetch(request)
      },
    })
    await expect(stranger.get('/api/v1/user/profile')).rejects.toMatchObject({ status: 401 })
    expect(requests).toBe(1)
  })
})

const busy = () => new Response('', { status: 503, headers: { 'retry-after': '0' } })

describe('retries', () => {
  test('a refused read is sent again after Retry-After', async () => {
    const client = through(async (_, count) => (count < 3 ? busy() : undefined))
    expect(await client.get('/healthz')).toMatchObject({ status: 'alive' })
    expect(client.requests).toHaveLength(3)
  })

  test('a start whose response was lost starts a single execution', async () => {
    const flow_id = await saveFlow([greet])
    const client = through(async (_, count) => (count === 1 ? 'sent' : undefined))
    const { execution_id } = await client.post('/ai-workflows/api/execute-flow-async', {
      body: { flow_id, context: { name: 'Ada' } },
    })
    expect(client.requests.map(({ headers }) => headers.get('idempotency-key'))).toEqual([
      client.requests[0]?.headers.get('idempotency-key'),
      expect.stringMatching(/^[\da-f-]{36}$/),
    ])
    const all = []
    for await (const execution of tutti.list('/ai-workflows/api/executions', {
      params: { query: { flow_id } },
    }))
      all.push(execution.execution_id)
    expect(all).toEqual([execution_id])
  })

  test('a write without a key is not repeated when its response was lost', async () => {
    const client = through(async () => 'sent')
    const flow_definition = { id: `sdk_${randomUUID().slice(0, 8)}`, label: 'Once', steps: [greet] } as never
    await expect(client.post('/ai-workflows/api/flows', { body: { flow_definition } })).rejects.toMatchObject(
      {
        code: 'unreachable',
      },
    )
    expect(client.requests).toHaveLength(1)
  })

  test('an aborted call ends with the reason of its signal', async () => {
    const reason = new Error('enough')
    const aborting = new AbortController()
    await using closing = new AsyncDisposableStack()
    const silent = closing.use(createServer(() => aborting.abort(reason)))
    silent.listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const client = createTutti({ url: `http://127.0.0.1:${port}` })
    await expect(client.get('/healthz', { signal: aborting.signal })).rejects.toBe(reason)
    silent.closeAllConnections()
  })
})

describe('streams', () => {
  test('go on after lost connections, without losing or repeating an event', async () => {
    const steps = Array.from({ length: 12 }, (_, index) => ({
      ...greet,
      id: `step_${index}`,
      ...(index > 0 && { dependencies: [`step_${index - 1}`] }),
    }))
    const flow_id = await saveFlow(steps)
    const { execution_id } = await tutti.post('/ai-workflows/api/execute-flow-async', { body: { flow_id } })
    const params = { path: { execution_id } }
    const whole: StreamEvent[] = []
    for await (const event of tutti.stream('get', '/ai-workflows/api/execution-stream/{execution_id}', {
      params,
    }))
      whole.push(event)
    /** Cuts the connection after a part of the bytes. */
    const client = through(async (request, count) => {
      const response = await fetch(request)
      if (response.body === null || count > 3) return response
      const bytes = new Uint8Array(await response.arrayBuffer())
      return new Response(bytes.slice(0, 400 * count), response)
    })
    const heard: StreamEvent[] = []
    for await (const event of client.stream('get', '/ai-workflows/api/execution-stream/{execution_id}', {
      params,
    }))
      heard.push(event)
    expect(client.requests.length).toBeGreaterThan(3)
    expect(heard).toEqual(whole)
    expect(whole.at(-1)?.event).toBe('execution_completed')
  })

  test('of JSON lines are read line by line', async () => {
    const parts = []
    const answer = tutti.stream('post', '/api/v1/chat', {
      body: {
        model: 'builtin:text',
        messages: [{ role: 'user', content: 'A fine day.' }],
        stream: true,
      } as never,
    })
    for await (const { data } of answer) parts.push(data)
    expect(parts.at(-1)).toMatchObject({ done: true })
  })

  test('that are refused throw', async () => {
    const params = { path: { execution_id: randomUUID() } }
    const events = tutti.stream('get', '/ai-workflows/api/execution-stream/{execution_id}', { params })
    await expect(events.next()).rejects.toMatchObject({ status: 404 })
  })
})

test('webhooks without a valid signature are refused', () => {
  expect(() => readWebhook('{}', { 'webhook-id': '1' }, 'a-secret-of-our-own')).toThrow(WebhookRefused)
})
