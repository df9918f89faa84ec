import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { createPlayer, type Player, saying } from './models-gateway-player.ts'
import { type GatewayServer, startGatewayServer } from './models-gateway-server.ts'

let player: Player
let server: GatewayServer

beforeAll(async () => {
  player = createPlayer()
  server = await startGatewayServer({ providers: [player] })
})
afterAll(() => server[Symbol.asyncDispose]())

const messages = [{ role: 'user', content: 'Why is the sky blue?' }]
const ask = (body: object) => server.post('/v1/chat/completions', { model: 'violin', messages, ...body })

describe('a request', () => {
  test('reaches the provider', async () => {
    await ask({
      messages: [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Why?' }] },
        { role: 'assistant', content: 'Because.', refusal: null, annotations: [], tool_calls: [] },
        { role: 'user', content: 'Of what?' },
      ],
      temperature: 0.5,
      max_completion_tokens: 50,
      stop: ['\n'],
      response_format: { type: 'json_object' },
      n: 1,
      tools: [],
      logprobs: false,
      top_p: null,
      store: false,
      service_tier: 'auto',
      modalities: ['text'],
    })
    expect(player.calls.at(-1)).toMatchObject({
      model: 'violin',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Why?' },
        { role: 'assistant', content: 'Because.' },
        { role: 'user', content: 'Of what?' },
      ],
      temperature: 0.5,
      maxTokens: 50,
      stop: ['\n'],
      format: {},
    })
  })

  test('is logged with its account and purpose', async () => {
    const piece = 'opus 61'
    await ask({ user: 'otto', metadata: { piece } })
    const find = () =>
      server.logged.find((text) => text.includes('POST /v1/chat/completions 200') && text.includes(piece))
    // A request is logged when its response has been sent.
    await eventually(() => find() !== undefined)
    expect(JSON.parse(find() ?? '')).toMatchObject({ end_user: 'otto', metadata: { piece } })
  })

  test.each([
    ['functions', { functions: [{ name: 'tune' }] }],
    ['n', { n: 2 }],
    ['logprobs', { logprobs: true }],
    ['top_logprobs', { top_logprobs: 3 }],
    ['logit_bias', { logit_bias: { 50256: -100 } }],
    ['audio', { audio: { voice: 'alloy', format: 'wav' } }],
    ['modalities', { modalities: ['text', 'audio'] }],
    ['prediction', { prediction: { type: 'content', content: 'x' } }],
    ['web_search_options', { web_search_options: {} }],
    ['service_tier', { service_tier: 'priority' }],
    ['store', { store: true }],
    ['verbosity', { verbosity: 'low' }],
    ['prompt_cache_key', { prompt_cache_key: 'a' }],
  ])('with the unsupported field %s is refused by its name', async (param, body) => {
    const answer = await ask(body)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: {
        type: 'invalid_request_error',
        param,
        code: 'unsupported_parameter',
        message: expect.stringContaining(`${param} is not supported: `),
      },
    })
  })

  test.each([
    ['model', 'missing_required_parameter', { model: null }],
    ['messages', 'missing_required_parameter', { messages: null }],
    ['messages', 'invalid_value', { messages: [] }],
    [
      'messages[0].content',
      'missing_required_parameter',
      { messages: [{ role: 'assistant', content: null }] },
    ],
    ['messages[0].role', 'invalid_value', { messages: [{ role: 'conductor', content: 'a' }] }],
    ['temprature', 'unsupported_parameter', { temprature: 1 }],
    ['temperature', 'invalid_type', { temperature: '1' }],
    ['temperature', 'invalid_value', { temperature: 3 }],
    ['max_tokens', 'invalid_value', { max_tokens: 0 }],
    ['max_tokens', 'invalid_value', { max_tokens: 1, max_completion_tokens: 1 }],
    ['stream_options', 'invalid_value', { stream_options: { include_usage: true } }],
    [
      'stream_options.include_obfuscation',
      'unsupported_parameter',
      { stream: true, stream_options: { include_obfuscation: true } },
    ],
    [
      'response_format.json_schema',
      'missing_required_parameter',
      { response_format: { type: 'json_schema' } },
    ],
    ['metadata', 'invalid_value', { metadata: { ['x'.repeat(65)]: 'a' } }],
  ])('with a wrong %s is refused as %s', async (param, code, body) => {
    const answer = await ask(body)
    expect(await answer.json()).toMatchObject({ error: { param, code, type: 'invalid_request_error' } })
    expect(answer.status).toBe(400)
  })

  test('of an unknown model is refused by that name', async () => {
    const answer = await ask({ model: 'theremin' })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({
      error: {
        message: 'The model "theremin" was not found.',
        type: 'invalid_request_error',
        param: 'model',
        code: 'model_not_found',
      },
    })
  })
})

describe('a response with a schema', () => {
  const schema = {
    type: 'object',
    properties: { colour: { type: 'string' } },
    required: ['colour'],
    additionalProperties: false,
  }
  const response_format = { type: 'json_schema', json_schema: { name: 'sky', schema } }

  test('satisfies it, and costs the sum of its attempts', async () => {
    player.script(saying('It is blue.'), saying('```json\n{"colour": "blue"}\n```'))
    const answer = await ask({ response_format })
    const body = (await answer.json()) as { choices: { message: { content: string } }[] }
    expect(JSON.parse(body.choices[0]?.message.content ?? '')).toEqual({ colour: 'blue' })
    expect(body).toMatchObject({
      object: 'chat.completion',
      usage: { prompt_tokens: 22, completion_tokens: 10 },
    })
    expect(answer.headers.get('x-model-used')).toBe('violin')
    expect(player.calls.at(-1)?.format).toEqual({ schema: { title: 'sky', ...schema } })
  })

  test('is an error when no attempt satisfies it', async () => {
    player.script(saying('blue'), saying('{"color": "blue"}'), saying('{}'))
    const answer = await ask({ response_format })
    expect(answer.status).toBe(502)
    expect(await answer.json()).toMatchObject({
      error: { type: 'server_error', param: null, code: 'answer_not_as_asked' },
    })
  })

  test('is enforced only when the caller says so', async () => {
    player.script(saying('blue'))
    const lenient = { ...response_format, json_schema: { ...response_format.json_schema, strict: false } }
    expect(await (await ask({ response_format: lenient })).json()).toMatchObject({
      choices: [{ message: { content: 'blue' } }],
    })
  })

  test('with an invalid schema is refused by its path', async () => {
    const answer = await ask({
      response_format: { type: 'json_schema', json_schema: { name: 'sky', schema: { type: 'colour' } } },
    })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { param: 'response_format.json_schema.schema' } })
  })
})
