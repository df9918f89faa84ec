import { connect } from 'node:net'
import { describe, expect, test } from 'vitest'
import { startClusterService, startServiceFor } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import { startModelNode } from '../support/model-node.ts'

const model = 'gemma3:4b'

describe('a request for a model', () => {
  test.each([
    ['/api/generate', { model, prompt: 'Why?' }],
    ['/api/generate', { model, prompt: 'Why?', stream: false }],
    ['/api/generate', { model, prompt: 'Why?', stream: false, options: { num_predict: 1000 } }],
    ['/api/generate', { model, prompt: 'Why?', stream: false, options: { num_predict: 50_000 } }],
    ['/api/chat', { model, messages: [{ role: 'user', content: 'Why?' }] }],
    ['/api/chat?debug=1', { model, messages: [], stream: false }],
    ['/api/embed', { model, input: ['one', 'two'] }],
    ['/api/show', { model }],
    ['/v1/chat/completions', { model, messages: [], stream: true, stream_options: { include_usage: true } }],
    ['/v1/chat/completions', { model, messages: [] }],
    ['/v1/completions', { model, prompt: 'Why?' }],
    ['/v1/embeddings', { model, input: 'one' }],
  ])('%s %j is served by a node, byte for byte', async (path, body) => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node])
    const direct = await fetch(`${node.url}${path}`, { method: 'POST', body: JSON.stringify(body) })
    const response = await service.post(path, body)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(direct.headers.get('content-type'))
    expect(response.headers.get('x-request-id')).toBeTruthy()
    expect(response.headers.get('x-cluster-node')).toBe(service.cluster.nodes()[0]?.id)
    expect(await response.text()).toBe(await direct.text())
    expect((await node.stats()).lastWork).toMatchObject({ path, body: JSON.stringify(body) })
  })

  test('reaches the node unchanged, odd spaces, unknown fields and all', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node])
    const body = `{ "model":"${model}",\n "prompt":"ü😀", "stream" : false, "own": {"deep":[1e3]} }`
    await service.post('/api/generate', body, {
      headers: {
        'x-own': 'kept',
        'x-request-id': 'abc-1',
        'x-priority': 'high',
        authorization: 'Bearer for-the-node',
      },
    })
    const { lastWork } = await node.stats()
    expect(lastWork?.body).toBe(body)
    expect(lastWork?.headers).toMatchObject({
      'x-own': 'kept',
      authorization: 'Bearer for-the-node',
      via: expect.stringMatching(/^1\.1 tutti-/),
    })
    expect(lastWork?.headers).not.toHaveProperty('x-priority')
  })

  test('keeps a valid request id', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node])
    const response = await service.post('/api/show', { model }, { headers: { 'x-request-id': 'abc-1' } })
    expect(response.headers.get('x-request-id')).toBe('abc-1')
    const other = await service.post('/api/show', { model }, { headers: { 'x-request-id': 'not sane' } })
    expect(other.headers.get('x-request-id')).not.toBe('not sane')
  })

  test('is streamed without buffering', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node])
    const body = { model, options: { num_predict: 1000, token_delay_ms: 20 } }
    const response = await service.post('/api/generate', body)
    const reader = response.body?.getReader()
    for (let tokens = 0; tokens < 3; tokens++) expect((await reader?.read())?.done).toBe(false)
    // A thousand tokens take twenty seconds: a buffered response would not have started yet.
    expect((await node.stats()).working).toBe(1)
    await reader?.cancel()
  })

  test('finds a model by its name without a tag', async () => {
    await using node = await startModelNode({ models: ['llama3:latest'] })
    await using service = await startServiceFor([node])
    expect((await service.post('/api/show', { model: 'llama3' })).status).toBe(200)
    expect((await service.post('/api/show', { name: 'llama3:latest' })).status).toBe(200)
  })

  test('of a caller that stops reading does not fill the memory', async () => {
    await using node = await startModelNode({ behaviour: 'work_floods' })
    await using service = await startServiceFor([node])
    const { port } = new URL(service.url)
    const body = JSON.stringify({ model })
    const socket = connect(Number(port), '127.0.0.1')
    socket.pause()
    socket.write(
      `POST /api/generate HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    let before = -1
    let sent = (await node.stats()).bytesSent
    while (sent === 0 || sent !== before) {
      before = sent
      await new Promise((resolve) => setTimeout(resolve, 200))
      sent = (await node.stats()).bytesSent
    }
    expect(sent).toBeLessThan(32 * 1024 * 1024)
    expect((await node.stats()).working).toBe(1)
    socket.destroy()
    await eventually(async () => (await node.stats()).working === 0)
  })
})

describe('a request error', () => {
  test.each([
    ['/api/generate', '{"model":', 400, 'the request body is not valid JSON'],
    ['/api/generate', '', 400, 'missing request body'],
    ['/api/generate', '[]', 400, 'the request body must be a JSON object'],
    ['/api/generate', '{"prompt":"x"}', 400, 'model is required'],
    ['/api/generate', '{"model":7}', 400, 'model must be a string'],
    ['/api/chat', '{"model":"nothing:1b"}', 404, "model 'nothing:1b' not found on any node"],
    ['/api/nothing', '{}', 404, 'There is nothing at this address.'],
  ])('%s %s gets %i in the format of Ollama', async (path, body, status, message) => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node])
    const response = await service.post(path, body)
    expect(response.status).toBe(status)
    expect(response.headers.get('x-request-id')).toBeTruthy()
    expect(await response.json()).toEqual({ error: message })
    expect((await node.stats()).lastWork).toBeUndefined()
  })

  test('is reported to other clients in their format', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node])
    const response = await service.post('/v1/chat/completions', { model: 'nothing:1b' })
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({
      error: {
        message: "model 'nothing:1b' not found on any node",
        type: 'invalid_request_error',
        param: 'model',
        code: 'model_not_found',
      },
    })
  })

  test('for a wrong method, strategy or body size is reported', async () => {
    await using service = await startClusterService()
    const wrongMethod = await service.get('/api/generate')
    expect(wrongMethod.status).toBe(405)
    expect(wrongMethod.headers.get('allow')).toBe('POST')
    expect(await wrongMethod.json()).toEqual({ error: expect.stringContaining('POST') })

    const wrongStrategy = await service.post(
      '/api/chat',
      { model },
      { headers: { 'x-cluster-strategy': 'best' } },
    )
    expect(wrongStrategy.status).toBe(400)
    expect(await wrongStrategy.json()).toEqual({ error: expect.stringContaining('round-robin') })

    const large = { model, prompt: 'x'.repeat(1_048_577) }
    expect((await service.post('/api/generate', large)).status).toBe(413)
    const streamed = new Blob([JSON.stringify(large)]).stream()
    const chunked = await service.post('/api/generate', '', { body: streamed, duplex: 'half' })
    expect(chunked.status).toBe(413)
  })

  test('without a healthy node is reported', async () => {
    await using service = await startClusterService()
    const response = await service.post('/api/generate', { model })
    expect(response.status).toBe(503)
    expect(response.headers.get('retry-after')).toBe('2')
    expect(await response.json()).toEqual({ error: 'There is no healthy node.' })
  })
})

describe('access control', () => {
  test('with a key: only callers with the key, and nodes do not get it', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node], { CLUSTER_API_KEY: 'correct horse battery' })
    const refused = await service.post('/api/show', { model })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).toContain('Bearer')
    expect(await refused.json()).toEqual({ error: expect.any(String) })
    expect((await service.get('/api/tags')).status).toBe(401)
    const headers = { authorization: 'Bearer correct horse battery', host: 'cluster.example' }
    expect((await service.post('/api/show', { model }, { headers })).status).toBe(200)
    expect((await node.stats()).lastWork?.headers).not.toHaveProperty('authorization')
  })

  test.each([
    ['/api/show', { origin: 'http://evil.example' }],
    ['/api/tags', { origin: 'http://evil.example' }],
    ['/api/cluster/status', { origin: 'null' }],
  ])('without a key: no page of another site (%s %j)', async (path, headers) => {
    await using service = await startClusterService()
    const method = path === '/api/show' ? 'POST' : 'GET'
    const response = await fetch(`${service.url}${path}`, { method, headers })
    expect(response.status).toBe(403)
    expect(await response.json()).toHaveProperty('error')
  })

  test.each(['/api/generate', '/api/cluster/nodes'])(
    'without a key: no other host name (%s)',
    async (path) => {
      await using service = await startClusterService()
      const { port } = new URL(service.url)
      const socket = connect(Number(port), '127.0.0.1')
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
      )
      let answer = ''
      for await (const chunk of socket) answer += String(chunk)
      expect(answer).toMatch(/^HTTP\/1\.1 403 /)
    },
  )

  test('refuses calls of the cluster to itself', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node])
    const via = `1.1 ${service.cluster.via}`
    expect((await service.post('/api/show', { model }, { headers: { via } })).status).toBe(508)
    expect((await service.get('/api/tags', { via })).status).toBe(508)
  })
})

describe('the aggregated lists', () => {
  test('have each model once, with its nodes', async () => {
    await using one = await startModelNode({ models: ['gemma3:4b', 'qwen3:8b'], loaded: ['gemma3:4b'] })
    await using two = await startModelNode({ models: ['gemma3:4b', 'nadia/tuned:1'] })
    await using service = await startServiceFor([one, two])
    const [first, second] = service.cluster.nodes().map(({ id }) => id)
    const [ofTheNode] = ((await (await fetch(`${one.url}/api/tags`)).json()) as { models: object[] }).models
    expect(await (await service.get('/api/tags')).json()).toEqual({
      models: [
        { ...ofTheNode, nodes: [first, second] },
        expect.objectContaining({ name: 'nadia/tuned:1', nodes: [second] }),
        expect.objectContaining({ name: 'qwen3:8b', nodes: [first], details: expect.any(Object) }),
      ],
    })
    expect(await (await service.get('/api/ps')).json()).toEqual({
      models: [
        expect.objectContaining({ name: 'gemma3:4b', nodes: [first], expires_at: expect.any(String) }),
      ],
    })
    expect(await (await service.get('/api/version')).json()).toEqual({ version: '0.13.5' })
    expect(await (await service.get('/v1/models')).json()).toEqual({
      object: 'list',
      data: [
        { id: 'gemma3:4b', object: 'model', created: 1_777_941_464, owned_by: 'library' },
        { id: 'nadia/tuned:1', object: 'model', created: 1_777_941_464, owned_by: 'nadia' },
        { id: 'qwen3:8b', object: 'model', created: 1_777_941_464, owned_by: 'library' },
      ],
    })
    expect(await (await service.get('/v1/models/nadia/tuned:1')).json()).toMatchObject({
      id: 'nadia/tuned:1',
    })
    const missing = await service.get('/v1/models/nothing')
    expect(missing.status).toBe(404)
    expect(await missing.json()).toMatchObject({ error: { code: 'model_not_found' } })
  })

  test.each(['/api/tags', '/api/ps', '/api/version', '/v1/models'])(
    '%s requires a healthy node',
    async (path) => {
      await using service = await startClusterService()
      const response = await service.get(path)
      expect(response.status).toBe(503)
      expect(await response.json()).toHaveProperty('error')
    },
  )
})
