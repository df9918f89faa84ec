import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createOpenAiProvider } from '../../src/models/providers/openai/openai-provider.ts'
import { eventually } from '../support/eventually.ts'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'
import { createPlayer, type Player } from './models-gateway-player.ts'
import { type GatewayServer, startGatewayServer } from './models-gateway-server.ts'
import { patient } from './models-provider-support.ts'

const model = 'text-embedding-3-small'
/** `Hello, world!` and ` Why?` in the vocabulary of OpenAI's embedding models. */
const hello = [9906, 11, 1917, 0]
const why = [8595, 30]

let cloud: OpenAiServer
let node: Player
let server: GatewayServer
let openai: OpenAI
const stack = new AsyncDisposableStack()

beforeAll(async () => {
  cloud = stack.use(await startOpenAiServer())
  node = createPlayer({ name: 'ollama', models: ['nomic-embed-text'] })
  const provider = stack.use(
    createOpenAiProvider({
      settings: { baseUrl: cloud.baseUrl, models: undefined },
      limits: patient,
      readKey: async () => 'sk-right',
    }),
  )
  server = stack.use(
    await startGatewayServer({
      providers: [node, provider],
      prices: {
        [model]: {
          source: 'override',
          version: 'test',
          prices: { input: 125_000, cachedInput: 125_000, output: 0 },
        },
      },
    }),
  )
  openai = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: server.key, maxRetries: 0 })
})
afterAll(() => stack.disposeAsync())

const bodySent = () => cloud.lastCall()?.body

describe('embeddings of a provider with the OpenAI protocol', () => {
  test('are passed on unchanged', async () => {
    const body = { model, input: ['a', 'bcd'], dimensions: 3, encoding_format: 'float', input_type: 'query' }
    const answer = await server.post('/v1/embeddings', { ...body, user: 'ada' })
    expect(answer.headers.get('x-model-provider')).toBe('openai')
    expect(await answer.text()).toBe(
      '{"object":"list","data":[{"object":"embedding","index":0,"embedding":[1,0,0.5]},{"object":"embedding","index":1,"embedding":[3,1,0.5]}],"model":"text-embedding-3-small","usage":{"prompt_tokens":8,"total_tokens":8}}',
    )
    expect(bodySent()).toEqual(body)
    const id = answer.headers.get('x-call-id')
    const find = async () => {
      const rows = await server.database.query(
        'select input_tokens::int, micro_dollars::int, estimated from model_calls where id = $1',
        [id],
      )
      return rows[0]
    }
    await eventually(async () => (await find()) !== undefined)
    expect(await find()).toEqual({ input_tokens: 8, micro_dollars: 1, estimated: false })
  })

  test('take tokens, which stay tokens', async () => {
    for (const input of [hello, [hello, why]]) {
      const { data } = await openai.embeddings.create({ model, input })
      expect(data[0]?.embedding).toEqual([4, 0, 0.5])
      expect(bodySent()).toMatchObject({ input, encoding_format: 'base64' })
    }
  })

  test('fail with the reason of the provider', async () => {
    cloud.script({ status: 400, message: 'This model does not support specifying dimensions.' })
    await expect(openai.embeddings.create({ model, input: 'a', dimensions: 3 })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('does not support specifying dimensions'),
    })
    cloud.script({ status: 200, body: '<h1>Hello</h1>' })
    await expect(openai.embeddings.create({ model, input: 'a' })).rejects.toMatchObject({ status: 502 })
    cloud.script('cut')
    await expect(openai.embeddings.create({ model, input: 'a' })).rejects.toMatchObject({ status: 502 })
  })
})

describe('embeddings of another provider', () => {
  test('get the text of tokens', async () => {
    const { data, usage } = await openai.embeddings.create({
      model: 'nomic-embed-text',
      input: [hello, why],
      dimensions: 2,
    })
    expect(data.map(({ embedding }) => embedding[0])).toEqual([13, 5])
    expect(usage.prompt_tokens).toBe(8)
    expect(node.embedCalls.at(-1)).toMatchObject({ inputs: ['Hello, world!', ' Why?'], dimensions: 2 })
    await openai.embeddings.create({ model: 'nomic-embed-text', input: hello })
    expect(node.embedCalls.at(-1)?.inputs).toEqual(['Hello, world!'])
  })

  test('follow when the first one fails', async () => {
    cloud.script({ status: 503 })
    const { data } = await openai.embeddings.create(
      { model, input: hello },
      { headers: { 'X-Model-Fallback': 'nomic-embed-text' } },
    )
    expect(data[0]?.embedding[0]).toBe(13)
  })

  test.each([
    ['unknown tokens', { input: [[1], [99_999_999]] }, /^400 input must be tokens of cl100k_base; number 2/],
    [
      'too many tokens',
      { input: [0, 1, 2].map(() => Array.from({ length: 100_001 }, () => 1)) },
      /^400 The body has more than 300000 values/,
    ],
    ['an unknown field', { input: 'a', input_type: 'query' }, /^400 input_type is not supported/],
    ['no input', { input: [] }, /^400 input must/],
    ['empty tokens', { input: [[]] }, /^400 input must|^400 input\[0\]/],
    ['a negative token', { input: [-1] }, /^400 input/],
    ['a broken token', { input: [1.5] }, /^400 input/],
    ['too many texts', { input: Array.from({ length: 2049 }, () => 'a') }, /^400 input must/],
  ])('with %s is refused', async (_what, body, message) => {
    await expect(
      openai.embeddings.create({ model: 'nomic-embed-text', ...body } as never),
    ).rejects.toMatchObject({ status: 400, message: expect.stringMatching(message) })
  })
})
