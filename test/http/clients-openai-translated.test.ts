import OpenAI, { BadRequestError, NotFoundError, RateLimitError } from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ClientsPlatform,
  collect,
  failureOf,
  image,
  models,
  openClientsPlatform,
  question,
  weatherCalls,
  weatherSchema,
} from './clients-platform.ts'

let platform: ClientsPlatform
let openai: OpenAI

beforeAll(async () => {
  platform = await openClientsPlatform()
  openai = new OpenAI({ baseURL: `${platform.url}/v1`, apiKey: platform.apiKey, maxRetries: 0 })
})
afterAll(() => platform[Symbol.asyncDispose]())

const tools = [
  {
    type: 'function' as const,
    function: { name: 'weather', description: 'The weather', parameters: weatherSchema },
  },
]
const pieces = ['The', ' sky', ' is', ' blue', '.'].map((text) => ({ text }))
const png = `data:image/png;base64,${image}`

/** Each model with the protocol of another provider, and the image in its format. */
const translated = [
  {
    kind: 'anthropic',
    imageOnWire: { content: [{ type: 'text' }, { type: 'image', source: { type: 'base64', data: image } }] },
    toolsOnWire: [{ name: 'weather', description: 'The weather', input_schema: weatherSchema }],
    resultsOnWire: [
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1' },
          { type: 'tool_result', tool_use_id: 'call_2' },
        ],
      },
    ],
  },
  {
    kind: 'ollama',
    imageOnWire: { content: 'Which colour?', images: [image] },
    toolsOnWire: tools,
    resultsOnWire: [
      { role: 'tool', content: 'sunny', tool_name: 'weather', tool_call_id: 'call_1' },
      { role: 'tool', content: 'sunny', tool_name: 'weather', tool_call_id: 'call_2' },
    ],
  },
] as const

describe.each(translated)('the openai client with a model of $kind', ({ kind, ...wire }) => {
  const model = models[kind]

  test('completes, and streams with usage', async () => {
    platform.script(kind, { steps: pieces }, { steps: pieces })
    const { data, response } = await openai.chat.completions
      .create({ model, messages: question })
      .withResponse()
    expect(data).toMatchObject({
      object: 'chat.completion',
      model,
      choices: [{ message: { role: 'assistant', content: 'The sky is blue.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 11 },
    })
    expect(response.headers.get('x-model-provider')).toBe(kind)
    const stream = await openai.chat.completions.create({
      model,
      messages: question,
      stream: true,
      stream_options: { include_usage: true },
    })
    const parts = await collect(stream)
    expect(parts.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('The sky is blue.')
    expect(parts.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 11 } })
    expect(new Set(parts.map(({ id }) => id)).size).toBe(1)
  })

  test('gets parallel tool calls, whole and streamed, and sends their results', async () => {
    const steps = [{ text: 'I look. ' }, ...weatherCalls.map((toolCall) => ({ toolCall }))]
    platform.script(kind, { steps }, { steps })
    const ask = { model, messages: question, tools }
    const whole = await openai.chat.completions.create(ask)
    const message = whole.choices[0]?.message
    expect(whole.choices[0]?.finish_reason).toBe('tool_calls')
    expect(message).toMatchObject({
      content: 'I look. ',
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Löwen"}' } },
        { id: 'call_2', type: 'function', function: { name: 'weather', arguments: '{"city":"Turin"}' } },
      ],
    })
    expect(platform.lastBody(kind)['tools']).toMatchObject(wire.toolsOnWire)
    const streamed = await openai.chat.completions.stream(ask).finalChatCompletion()
    expect(streamed.choices[0]?.message.tool_calls).toMatchObject(message?.tool_calls ?? [])
    expect(streamed.choices[0]?.finish_reason).toBe('tool_calls')
    if (message === undefined) throw new Error('there is no message')
    const results = weatherCalls.map(({ id }) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: 'sunny',
    }))
    platform.script(kind, { steps: pieces })
    const last = await openai.chat.completions.create({
      ...ask,
      messages: [...question, message, ...results],
    })
    expect(last.choices[0]?.message.content).toBe('The sky is blue.')
    const sent = platform.lastBody(kind)['messages'] as readonly unknown[]
    expect(sent.slice(2)).toMatchObject(wire.resultsOnWire)
  })

  test('sends images', async () => {
    const content = [
      { type: 'text' as const, text: 'Which colour?' },
      { type: 'image_url' as const, image_url: { url: png } },
    ]
    await openai.chat.completions.create({ model, messages: [{ role: 'user', content }] })
    expect(platform.lastBody(kind)['messages']).toMatchObject([{ role: 'user', ...wire.imageOnWire }])
  })

  test('gets reasoning', async () => {
    const steps = [{ thinking: 'Light ' }, { thinking: 'scatters.', signature: 'c2ln' }, ...pieces]
    platform.script(kind, { steps }, { steps })
    const ask = { model, messages: question, reasoning_effort: 'low' as const }
    const whole = await openai.chat.completions.create(ask)
    expect(whole.choices[0]?.message).toMatchObject({
      content: 'The sky is blue.',
      reasoning_content: 'Light scatters.',
    })
    const parts = await collect(await openai.chat.completions.create({ ...ask, stream: true }))
    const deltas = parts.flatMap(({ choices }) => choices.map(({ delta }) => delta))
    expect(deltas).toContainEqual({ reasoning_content: 'Light ' })
    expect(deltas.map(({ content }) => content ?? '').join('')).toBe('The sky is blue.')
  })

  test('gets JSON by a schema', async () => {
    const json = '{"city":"Turin"}'
    platform.script(kind, { steps: [{ text: json }] })
    const whole = await openai.chat.completions.create({
      model,
      messages: question,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'place', strict: true, schema: weatherSchema },
      },
    })
    expect(whole.choices[0]?.message.content).toBe(json)
  })

  test('is told which parameters only other providers have', async () => {
    const refused = await failureOf(() =>
      openai.chat.completions.create({ model, messages: question, logit_bias: { 1: 5 } }),
    )
    expect(refused).toBeInstanceOf(BadRequestError)
    expect(refused).toMatchObject({ param: 'logit_bias', code: 'unsupported_parameter' })
    for (const [param, content] of [
      ['messages[0].content[0].type', { type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } }],
      ['messages[0].content[0].file.file_id', { type: 'file', file: { file_id: 'file-1' } }],
      ['messages[0].content[0].file.file_data', { type: 'file', file: {} }],
      ['messages[0].content[0].image_url.url', { type: 'image_url', image_url: { url: 'https://[' } }],
    ] as const) {
      const body = { model, messages: [{ role: 'user', content: [content] }] }
      const error = await failureOf(() => openai.post('/chat/completions', { body }))
      expect(error).toBeInstanceOf(BadRequestError)
      expect(error).toMatchObject({ param })
    }
  })

  test('gets errors of its own classes', async () => {
    const server = kind === 'anthropic' ? platform.anthropic : platform.node
    server.script({ status: 429, headers: { 'retry-after': '7' } })
    const limited = await failureOf(() => openai.chat.completions.create({ model, messages: question }))
    expect(limited).toBeInstanceOf(RateLimitError)
    expect((limited as RateLimitError).headers?.get('retry-after')).toBe('7')
    server.script({ status: 404, message: `model: ${model}` })
    const missing = await failureOf(() => openai.chat.completions.create({ model, messages: question }))
    expect(missing).toBeInstanceOf(NotFoundError)
  })
})

describe('the openai client with the cluster', () => {
  test('embeds', async () => {
    const { data } = await openai.embeddings.create({ model: 'nomic-embed-text', input: ['a', 'b'] })
    expect(data.map(({ embedding }) => embedding.map((number) => number.toFixed(1)))).toEqual([
      ['0.1', '0.2'],
      ['0.1', '0.2'],
    ])
  })
})
