import OpenAI, { BadRequestError, NotFoundError, RateLimitError } from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type ClientsPlatform,
  collect,
  embedder,
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

const model = models.openai
const tools = [
  {
    type: 'function' as const,
    function: { name: 'weather', description: 'The weather', parameters: weatherSchema },
  },
]

describe('the openai client with a provider of the same protocol', () => {
  test('gets the completion as the provider wrote it', async () => {
    const { data, response } = await openai.chat.completions
      .create({ model, messages: question })
      .withResponse()
    expect(data).toMatchObject({
      id: 'chatcmpl-B9MBs8CjcvOU2jLn4n570S5qMJKcT',
      system_fingerprint: 'fp_44709d6fcb',
      choices: [{ message: { content: 'The sky is blue.', annotations: [] }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 },
    })
    expect(response.headers.get('x-model-provider')).toBe('openai')
    expect(await platform.findCall(({ id }) => id === response.headers.get('x-call-id'))).toMatchObject({
      outcome: 'answered',
      input_tokens: 11,
      output_tokens: 5,
    })
  })

  test('streams, and sees the usage only when it requests it', async () => {
    const ask = { model, messages: question, stream: true } as const
    const plain = await collect(await openai.chat.completions.create(ask))
    expect(plain.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('The sky is blue.')
    expect(plain.every(({ choices }) => choices.length === 1)).toBe(true)
    expect(platform.lastBody('openai')).toMatchObject({ stream_options: { include_usage: true } })
    const counted = await collect(
      await openai.chat.completions.create({ ...ask, stream_options: { include_usage: true } }),
    )
    expect(counted.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 11, completion_tokens: 5 } })
  })

  test('gets parallel tool calls, whole and streamed, and sends their results', async () => {
    const steps = weatherCalls.map((toolCall) => ({ toolCall }))
    platform.script('openai', { steps }, { steps })
    const ask = { model, messages: question, tools, parallel_tool_calls: true }
    const whole = await openai.chat.completions.create(ask)
    const message = whole.choices[0]?.message
    expect(whole.choices[0]?.finish_reason).toBe('tool_calls')
    expect(message?.tool_calls).toMatchObject([
      { id: 'call_1', function: { name: 'weather', arguments: '{"city":"Löwen"}' } },
      { id: 'call_2', function: { name: 'weather', arguments: '{"city":"Turin"}' } },
    ])
    expect(platform.lastBody('openai')).toMatchObject({ tools, parallel_tool_calls: true })
    const streamed = await openai.chat.completions.stream(ask).finalChatCompletion()
    expect(streamed.choices[0]?.message.tool_calls).toMatchObject(message?.tool_calls ?? [])
    if (message === undefined) throw new Error('there is no message')
    const results = weatherCalls.map(({ id }) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: 'sunny',
    }))
    const last = await openai.chat.completions.create({
      ...ask,
      messages: [...question, message, ...results],
    })
    expect(last.choices[0]?.message.content).toBe('The sky is blue.')
    expect(platform.lastBody('openai')['messages']).toMatchObject([
      ...question,
      { role: 'assistant' },
      ...results,
    ])
  })

  test('sends images and unknown parameters as they are', async () => {
    const messages = [
      {
        role: 'user' as const,
        content: [
          { type: 'text' as const, text: 'Which colour?' },
          {
            type: 'image_url' as const,
            image_url: { url: `data:image/png;base64,${image}`, detail: 'low' as const },
          },
        ],
      },
    ]
    const extra = { min_p: 0.05, repetition_penalty: 1.1, chat_template_kwargs: { enable_thinking: false } }
    await openai.chat.completions.create({ model, messages, ...extra })
    expect(platform.lastBody('openai')).toMatchObject({ messages, ...extra })
  })

  test('sends types and fields that only the provider knows', async () => {
    const messages = [
      {
        role: 'user' as const,
        content: [
          { type: 'text' as const, text: 'What is this?', cache_control: { type: 'ephemeral' } },
          { type: 'file' as const, file: { file_id: 'file-1' } },
          { type: 'video_url', video_url: { url: 'https://example.com/a.mp4' } },
          { type: 'image_url' as const, image_url: { url: 'https://example.com/a.png', detail: 'original' } },
        ],
      },
    ]
    const more = {
      tools: [...tools, { type: 'custom' as const, custom: { name: 'shell' } }],
      tool_choice: { type: 'allowed_tools' as const, allowed_tools: { mode: 'auto' as const, tools: [] } },
    }
    await openai.post('/chat/completions', { body: { model, messages, ...more } })
    expect(platform.lastBody('openai')).toMatchObject({ messages, ...more })
  })

  test('gets several choices and the probabilities of tokens', async () => {
    const ask = { model, messages: question, n: 2, logprobs: true, top_logprobs: 1, max_tokens: 2 }
    const { choices } = await openai.chat.completions.create(ask)
    expect(choices).toHaveLength(2)
    expect(choices[1]?.logprobs?.content).toMatchObject([
      { token: 'The', logprob: -0.125, top_logprobs: [{ token: 'The' }] },
      { token: ' sky', logprob: -0.125 },
    ])
    const parts = await collect(await openai.chat.completions.create({ ...ask, stream: true }))
    const texts = [0, 1].map((index) =>
      parts
        .flatMap((part) => part.choices)
        .filter((choice) => choice.index === index)
        .map(({ delta }) => delta.content ?? '')
        .join(''),
    )
    expect(texts).toEqual(['The sky', 'The sky'])
  })

  test('gets JSON by a schema', async () => {
    const json = '{"city":"Turin"}'
    const format = {
      type: 'json_schema' as const,
      json_schema: { name: 'place', strict: true, schema: weatherSchema },
    }
    platform.script(
      'openai',
      { steps: [{ text: json }] },
      { steps: [{ text: json }] },
      { steps: [{ text: '{}' }] },
    )
    const ask = { model, messages: question, response_format: format }
    const parsed = await openai.chat.completions.parse<typeof ask, { city: string }>(ask)
    expect(parsed.choices[0]?.message.parsed).toEqual({ city: 'Turin' })
    expect(platform.lastBody('openai')['response_format']).toMatchObject({ type: 'json_schema' })
    const streamed = await openai.chat.completions.stream(ask).finalChatCompletion()
    expect(streamed.choices[0]?.message.content).toBe(json)
    expect(platform.lastBody('openai')['response_format']).toEqual(format)
    await openai.chat.completions.create({
      model,
      messages: question,
      response_format: { type: 'json_object' },
    })
    expect(platform.lastBody('openai')['response_format']).toEqual({ type: 'json_object' })
  })

  test('completes prompts', async () => {
    const whole = await openai.completions.create({ model, prompt: 'The', echo: true, n: 2 })
    expect(whole.choices.map(({ text }) => text)).toEqual(['The sky is blue.', 'The sky is blue.'])
    expect(platform.lastBody('openai')).toMatchObject({ prompt: 'The', echo: true, n: 2 })
    const parts = await collect(await openai.completions.create({ model, prompt: 'The', stream: true }))
    expect(parts.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe('The sky is blue.')
  })

  test('embeds, in base64 unless it asks for numbers', async () => {
    const ask = { model: embedder, input: ['a', 'bcd'] }
    const packed = await openai.embeddings.create(ask)
    const numbers = await openai.embeddings.create({ ...ask, encoding_format: 'float' })
    expect(packed.data).toEqual(numbers.data)
    expect(numbers.data.map(({ embedding }) => embedding)).toEqual([
      [1, 0, 0.5],
      [3, 1, 0.5],
    ])
  })

  test('cancels the work of the provider when it aborts a stream', async () => {
    platform.script('openai', { steps: [{ text: 'The' }, 'hang'] })
    const { data: stream, response } = await openai.chat.completions
      .create({ model, messages: question, stream: true })
      .withResponse()
    for await (const { choices } of stream) if (choices[0]?.delta.content === 'The') stream.controller.abort()
    expect(await platform.openai.lastCall()?.closed).toBe(true)
    const call = await platform.findCall(({ id }) => id === response.headers.get('x-call-id'))
    expect(call.outcome).toBe('cancelled')
  })

  test('gets errors of its own classes', async () => {
    platform.openai.script({ status: 400, message: 'Invalid value for logit_bias.', code: 'invalid_value' })
    const refused = await failureOf(() =>
      openai.chat.completions.create({ model, messages: question, logit_bias: { 1: 200 } }),
    )
    expect(refused).toBeInstanceOf(BadRequestError)
    expect(String(refused)).toContain('Invalid value for logit_bias.')
    expect(
      await failureOf(() => openai.chat.completions.create({ model: 'absent', messages: question })),
    ).toBeInstanceOf(NotFoundError)
    platform.openai.script({
      status: 429,
      headers: { 'retry-after': '7' },
      type: 'requests',
      code: 'rate_limit_exceeded',
    })
    const limited = await failureOf(() => openai.chat.completions.create({ model, messages: question }))
    expect(limited).toBeInstanceOf(RateLimitError)
    expect((limited as RateLimitError).headers?.get('retry-after')).toBe('7')
  })
})
