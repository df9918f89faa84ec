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
      runtime: { keep_alive: '5m', think: true, options: { num_ctx: 8192 } },
    })
    expect(Object.keys(node.calls.at(-1)?.runtime ?? {}).sort()).toEqual(['keep_alive', 'options', 'think'])
  })

  test('with images reaches the node with their messages', async () => {
    const messages = [{ role: 'user', content: 'What is it?', images: ['aGk='] }]
    await (await chat({ messages, stream: false })).text()
    expect(node.calls.at(-1)).toMatchObject({
      messages: [{ role: 'user', content: 'What is it?' }],
      runtime: { messages },
    })
  })

  test('with node-only options is refused for other providers, by its name', async () => {
    const answer = await generate({ model: 'violin', keep_alive: '5m' })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: { code: 'unsupported', message: expect.stringContaining('keep_alive') },
    })
    const option = await generate({ model: 'violin', options: { temperature: 0, num_ctx: 8192 } })
    expect(await option.json()).toMatchObject({
      error: { message: expect.stringContaining('support options.num_ctx,') },
    })
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
    ['/api/v1/generate', { tools: [{}] }, 'tools'],
    ['/api/v1/chat', { tools: [{}] }, 'tools'],
    [
      '/api/v1/chat',
      { messages: [{ role: 'assistant', content: '', tool_calls: [{}] }] },
      'messages[0].tool_calls',
    ],
    ['/api/v1/generate', { logprobs: true }, 'logprobs'],
    ['/api/v1/generate', { width: 100 }, 'width'],
    ['/api/v1/embed', { keep_alive: '5m' }, 'keep_alive'],
    ['/api/v1/embed', { truncate: false }, 'truncate'],
  ])('at %s with %j is refused', async (path, body, field) => {
    const answer = await server.post(path, { model: 'viola', input: 'a', messages: [], ...body })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: {
        code: 'invalid_request',
        message: expect.stringContaining(`${field} is not supported: `),
      },
    })
  })

  test.each([
    ['/api/v1/generate', {}, 'model is required'],
    ['/api/v1/generate', { model: '' }, 'model must'],
    ['/api/v1/generate', { model: 'viola', promt: 'a' }, 'promt is not a known field'],
    ['/api/v1/generate', { model: 'viola', stream: 'no' }, 'stream must be true or false'],
    ['/api/v1/generate', { model: 'viola', format: 'xml' }, 'format must'],
    [
      '/api/v1/generate',
      { model: 'viola', options: { temperature: 'hot' } },
      'options.temperature must be a number',
    ],
    ['/api/v1/generate', { model: 'viola', options: { num_ctx: { a: 1 } } }, 'options.num_ctx must'],
    ['/api/v1/chat', { model: 'viola' }, 'messages is required'],
    ['/api/v1/chat', { model: 'viola', messages: [{ role: 'user' }] }, 'messages[0].content is required'],
    [
      '/api/v1/chat',
      { model: 'viola', messages: [{ role: 'tool', content: '' }] },
      'messages[0].role must be one of',
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
