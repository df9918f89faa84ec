import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPlayer, type Player } from './models-gateway-player.ts'
import { type GatewayServer, startGatewayServer } from './models-gateway-server.ts'

let node: Player
let server: GatewayServer

beforeAll(async () => {
  node = createPlayer({ name: 'ollama', models: ['viola'] })
  server = await startGatewayServer({ providers: [node, createPlayer({ models: ['violin'] })] })
})
afterAll(() => server[Symbol.asyncDispose]())

const generate = (body: object) =>
  server.post('/api/v1/generate', { model: 'viola', prompt: 'Why?', ...body })
const chat = (body: object) =>
  server.post('/api/v1/chat', { model: 'viola', messages: [{ role: 'user', content: 'Why?' }], ...body })

describe('a request', () => {
  test('reaches the node, each field in its place', async () => {
    await (
      await generate({
        system: 'Be brief.',
        format: { type: 'object' },
        options: { temperature: 0.5, num_predict: 20, num_ctx: 8192, stop: ['\n'] },
        keep_alive: '5m',
        think: true,
        tools: [],
        logprobs: null,
        suffix: null,
      })
    ).text()
    expect(node.calls.at(-1)).toMatchObject({
      model: 'viola',
      kind: 'generate',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Why?' },
      ],
      temperature: 0.5,
      maxTokens: 20,
      stop: ['\n'],
      format: { schema: { type: 'object' } },
      reasoningEffort: 'medium',
      runtime: { keep_alive: '5m', options: { num_ctx: 8192 } },
    })
    expect(Object.keys(node.calls.at(-1)?.runtime ?? {}).sort()).toEqual(['keep_alive', 'options'])
  })

  test('with node-only options is refused for other providers, by its name', async () => {
    const answer = await generate({ model: 'violin', raw: true })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: { code: 'unsupported', message: expect.stringContaining('support raw,') },
    })
    const option = await generate({ model: 'violin', options: { temperature: 0, mirostat: 2 } })
    expect(await option.json()).toMatchObject({
      error: { message: expect.stringContaining('support options.mirostat,') },
    })
    for (const body of [{ logprobs: true }, { width: 100 }, { tools: [{}] }, { promt: 'a' }]) {
      const refused = await generate({ model: 'violin', ...body })
      expect(refused.status).toBe(400)
      expect(await refused.json()).toMatchObject({
        error: { code: 'unsupported', message: expect.stringContaining(`support ${Object.keys(body)[0]},`) },
      })
    }
    const embedded = await server.post('/api/v1/embed', { model: 'violin', input: 'a', truncate: false })
    expect(embedded.status).toBe(400)
    expect(await embedded.json()).toMatchObject({
      error: { code: 'invalid_request', message: expect.stringMatching(/^truncate is not supported/) },
    })
  })

  test('with options about memory and hardware is served by other providers, which ignore them', async () => {
    const options = { temperature: 0, num_ctx: 8192, num_gpu: 1 }
    const answer = await generate({ model: 'violin', keep_alive: '5m', options })
    expect(answer.status).toBe(200)
    await answer.text()
    const embedded = {
      model: 'violin',
      input: 'a',
      truncate: true,
      keep_alive: '5m',
      options: { num_ctx: 512 },
    }
    expect((await server.post('/api/v1/embed', embedded)).status).toBe(200)
  })

  test('is served by other providers as far as they support it', async () => {
    const answer = await generate({ model: 'violin', options: { temperature: 0 }, stream: false })
    expect(await answer.json()).toMatchObject({
      model: 'violin',
      done: true,
      total_duration: expect.any(Number),
      eval_count: 5,
    })
  })

  test('may only load a model', async () => {
    const answer = await server.post('/api/v1/generate', { model: 'viola', keep_alive: -1 })
    expect(answer.status).toBe(200)
    await answer.text()
    expect((await chat({ messages: [] })).status).toBe(200)
  })

  test.each([
    ['/api/v1/generate', {}, 'model is required'],
    ['/api/v1/generate', { model: '' }, 'model must'],
    ['/api/v1/generate', { model: 'viola', stream: 'no' }, 'stream must be true or false'],
    ['/api/v1/generate', { model: 'viola', format: 'xml' }, 'format must'],
    [
      '/api/v1/generate',
      { model: 'viola', options: { temperature: 'hot' } },
      'options.temperature must be a number',
    ],
    ['/api/v1/generate', { model: 'viola', options: { num_ctx: { a: 1 } } }, 'options.num_ctx must'],
    ['/api/v1/chat', { model: 'viola', messages: 'Why?' }, 'messages must'],
    ['/api/v1/chat', { model: 'viola', messages: [{}] }, 'messages[0].role is required'],
    [
      '/api/v1/chat',
      { model: 'viola', messages: [{ role: 'critic', content: '' }] },
      'messages[0].role must be one of',
    ],
    ['/api/v1/chat', { model: 'viola', tools: [{}] }, 'tools[0].function is required'],
    [
      '/api/v1/chat',
      { model: 'viola', messages: [{ role: 'assistant', tool_calls: [{ function: {} }] }] },
      'messages[0].tool_calls[0].function.name is required',
    ],
    ['/api/v1/embed', { model: 'viola' }, 'input is required'],
    ['/api/v1/embed', { model: 'viola', input: [] }, 'input must'],
  ])('at %s with %j is refused', async (path, body, reason) => {
    const answer = await server.post(path, body)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: { code: 'invalid_request', message: expect.stringContaining(reason) },
    })
  })

  test.each([
    ['{"model":', 400, 'invalid_request'],
    ['', 400, 'invalid_request'],
    ['[]', 400, 'invalid_request'],
    ['"viola"', 400, 'invalid_request'],
    [JSON.stringify({ model: 'theremin', prompt: 'Why?' }), 404, 'model_not_found'],
  ])('as %j is refused', async (body, status, code) => {
    const answer = await server.post('/api/v1/generate', body)
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ error: { code, message: expect.any(String) } })
  })
})
