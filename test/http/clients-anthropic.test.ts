import Anthropic, {
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
} from '@anthropic-ai/sdk'
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
let anthropic: Anthropic

beforeAll(async () => {
  platform = await openClientsPlatform()
  anthropic = new Anthropic({ baseURL: platform.url, apiKey: platform.apiKey, maxRetries: 0 })
})
afterAll(() => platform[Symbol.asyncDispose]())

const model = models.anthropic
const ask = { model, max_tokens: 4096, messages: question }
const tools = [{ name: 'weather', description: 'The weather', input_schema: weatherSchema }]

describe('the Anthropic client with a provider of the same protocol', () => {
  test('gets the message as the provider wrote it', async () => {
    const { data, response } = await anthropic.messages.create(ask).withResponse()
    expect(data).toMatchObject({
      id: 'msg_014p7gG3wDgGV9EUtLvnow3U',
      content: [{ type: 'text', text: 'The sky is blue.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 11, output_tokens: 5, service_tier: 'standard' },
    })
    expect(await platform.findCall(({ id }) => id === response.headers.get('x-call-id'))).toMatchObject({
      outcome: 'answered',
      input_tokens: 11,
      output_tokens: 5,
    })
  })

  test('streams with its helper, with thinking and its signature', async () => {
    const steps = [
      { thinking: 'Light ' },
      { thinking: 'scatters.', signature: 'c2ln' },
      'ping' as const,
      { text: 'Blue' },
      { text: '.' },
    ]
    platform.script('anthropic', { steps })
    const thinking = { type: 'enabled' as const, budget_tokens: 1024 }
    const texts: string[] = []
    const message = await anthropic.messages
      .stream({ ...ask, thinking })
      .on('text', (text) => void texts.push(text))
      .finalMessage()
    expect(texts).toEqual(['Blue', '.'])
    expect(message.content).toMatchObject([
      { type: 'thinking', thinking: 'Light scatters.', signature: 'c2ln' },
      { type: 'text', text: 'Blue.' },
    ])
    expect(message.usage).toMatchObject({ input_tokens: 11, output_tokens: 5 })
    expect(platform.lastBody('anthropic')).toMatchObject({ thinking, max_tokens: 4096, stream: true })
  })

  test('gets parallel tool calls and sends their results with the thinking before them', async () => {
    const steps = [{ thinking: 'Hm.', signature: 'c2ln' }, ...weatherCalls.map((toolCall) => ({ toolCall }))]
    platform.script('anthropic', { steps }, { steps })
    const more = { tools, thinking: { type: 'enabled' as const, budget_tokens: 1024 } }
    const whole = await anthropic.messages.create({ ...ask, ...more })
    expect(whole.stop_reason).toBe('tool_use')
    const streamed = await anthropic.messages.stream({ ...ask, ...more }).finalMessage()
    expect(streamed.content).toMatchObject([
      { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
      { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Löwen' } },
      { type: 'tool_use', id: 'call_2', name: 'weather', input: { city: 'Turin' } },
    ])
    expect(whole.content).toMatchObject(streamed.content.map(({ type }) => ({ type })))
    const results = weatherCalls.map(({ id }) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: [{ type: 'text' as const, text: 'sunny', cache_control: { type: 'ephemeral' as const } }],
    }))
    const messages = [
      ...question,
      { role: 'assistant' as const, content: streamed.content },
      { role: 'user' as const, content: results },
    ]
    const last = await anthropic.messages.create({ ...ask, ...more, messages })
    expect(last.content).toMatchObject([{ text: 'The sky is blue.' }])
    expect(platform.lastBody('anthropic')['messages']).toMatchObject(messages)
  })

  test('sends images, cache hints, tools of the provider and beta headers as they are', async () => {
    const content = [
      { type: 'text' as const, text: 'Which colour?' },
      {
        type: 'image' as const,
        source: { type: 'base64' as const, media_type: 'image/png' as const, data: image },
      },
    ]
    const system = [
      { type: 'text' as const, text: 'Be brief.', cache_control: { type: 'ephemeral' as const } },
    ]
    const search = { type: 'web_search_20250305' as const, name: 'web_search' as const, max_uses: 2 }
    const metadata = { user_id: 'user 7' }
    await anthropic.messages.create(
      { ...ask, system, metadata, tools: [search], messages: [{ role: 'user', content }] },
      { headers: { 'anthropic-beta': 'context-1m-2025-08-07' } },
    )
    expect(platform.lastBody('anthropic')).toMatchObject({
      system,
      metadata,
      tools: [search],
      messages: [{ role: 'user', content }],
    })
    const { headers } = platform.anthropic.lastCall() ?? {}
    expect(headers).toMatchObject({ 'anthropic-beta': 'context-1m-2025-08-07', 'x-api-key': 'sk-ant-right' })
    expect(JSON.stringify(headers)).not.toContain(platform.apiKey)
  })

  test('sends types that only the provider knows', async () => {
    const content = [
      { type: 'document', source: { type: 'file', file_id: 'file_1' } },
      { type: 'container_upload', file_id: 'file_2' },
      { type: 'text', text: 'What is this?' },
    ]
    const more = { thinking: { type: 'between_tools' }, output_config: { effort: 'extreme' } }
    const body = { ...ask, messages: [{ role: 'user', content }], ...more }
    await anthropic.post('/v1/messages', { body })
    expect(platform.lastBody('anthropic')).toMatchObject({ messages: [{ role: 'user', content }], ...more })
    for (const [words, fields] of [
      ['messages[0].content[0].source.type', { messages: [{ role: 'user', content: content.slice(0, 1) }] }],
      ['thinking.type', { thinking: more.thinking }],
      ['output_config.effort', { output_config: more.output_config }],
    ] as const) {
      const refused = await failureOf(() =>
        anthropic.post('/v1/messages', { body: { ...ask, model: models.openai, ...fields } }),
      )
      expect(refused).toBeInstanceOf(BadRequestError)
      expect(String(refused)).toContain(words)
    }
  })

  test('sends instructions in the middle of a conversation as they are', async () => {
    const messages = [...question, { role: 'system' as const, content: 'Be brief.' }]
    await anthropic.messages.create({ ...ask, messages })
    expect(platform.lastBody('anthropic')['messages']).toEqual(messages)
  })

  test('cancels the work of the provider when it aborts a stream', async () => {
    platform.script('anthropic', { steps: [{ text: 'The' }, 'hang'] })
    const stream = anthropic.messages.stream(ask)
    stream.on('text', () => stream.abort())
    await failureOf(() => stream.finalMessage())
    expect(await platform.anthropic.lastCall()?.closed).toBe(true)
  })

  test('gets errors of its own classes', async () => {
    platform.anthropic.script({
      status: 400,
      message: 'temperature: Input should be less than or equal to 1',
    })
    const refused = await failureOf(() => anthropic.messages.create(ask))
    expect(refused).toBeInstanceOf(BadRequestError)
    expect(refused).toMatchObject({ error: { type: 'error', error: { type: 'invalid_request_error' } } })
    expect(String(refused)).toContain('temperature: Input should be less than or equal to 1')
    expect(await failureOf(() => anthropic.messages.create({ ...ask, model: 'absent' }))).toBeInstanceOf(
      NotFoundError,
    )
    platform.anthropic.script({ status: 429, headers: { 'retry-after': '7' } })
    const limited = await failureOf(() => anthropic.messages.create(ask))
    expect(limited).toBeInstanceOf(RateLimitError)
    expect((limited as RateLimitError).headers.get('retry-after')).toBe('7')
    expect(limited).toMatchObject({ error: { error: { type: 'rate_limit_error' } } })
    platform.anthropic.script({ status: 529, type: 'overloaded_error', message: 'Overloaded' })
    expect(await failureOf(() => anthropic.messages.create(ask))).toBeInstanceOf(InternalServerError)
    const stranger = new Anthropic({ baseURL: platform.url, apiKey: 'tk_nobody', maxRetries: 0 })
    const unknown = await failureOf(() => stranger.messages.create(ask))
    expect(unknown).toBeInstanceOf(AuthenticationError)
    expect(unknown).toMatchObject({ error: { error: { type: 'authentication_error' } } })
  })
})

const pieces = [{ text: 'The sky ' }, { text: 'is blue.' }]

describe.each(['openai', 'ollama'] as const)('the Anthropic client with a model of %s', (kind) => {
  const asked = { ...ask, model: models[kind] }

  test('gets a message, whole and streamed', async () => {
    platform.script(kind, { steps: pieces }, { steps: pieces })
    const whole = await anthropic.messages.create({ ...asked, system: 'Be brief.' })
    expect(whole).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: models[kind],
      content: [{ type: 'text', text: 'The sky is blue.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 11 },
    })
    expect(platform.lastBody(kind)['messages']).toMatchObject([
      { role: 'system', content: 'Be brief.' },
      ...question,
    ])
    const message = await anthropic.messages.stream(asked).finalMessage()
    expect(message.content).toMatchObject(whole.content)
    expect(message.usage.input_tokens).toBe(11)
    expect(message.usage.output_tokens).toBe(whole.usage.output_tokens)
  })

  test('gets parallel tool calls and sends their results', async () => {
    const steps = [{ text: 'I look.' }, ...weatherCalls.map((toolCall) => ({ toolCall }))]
    platform.script(kind, { steps }, { steps }, { steps: pieces })
    const whole = await anthropic.messages.create({ ...asked, tools })
    const streamed = await anthropic.messages.stream({ ...asked, tools }).finalMessage()
    expect(streamed.stop_reason).toBe('tool_use')
    expect(streamed.content).toMatchObject([
      { type: 'text', text: 'I look.' },
      { type: 'tool_use', id: 'call_1', name: 'weather', input: { city: 'Löwen' } },
      { type: 'tool_use', id: 'call_2', name: 'weather', input: { city: 'Turin' } },
    ])
    expect(whole.content).toMatchObject(streamed.content)
    const results = weatherCalls.map(({ id }) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: 'sunny',
    }))
    const last = await anthropic.messages.create({
      ...asked,
      tools,
      messages: [
        ...question,
        { role: 'assistant', content: streamed.content },
        { role: 'user', content: [...results, { type: 'text', text: 'So?' }] },
      ],
    })
    expect(last.content).toMatchObject([{ text: 'The sky is blue.' }])
    expect(platform.lastBody(kind)['messages']).toMatchObject([
      ...question,
      { role: 'assistant', content: 'I look.', tool_calls: [{ id: 'call_1' }, { id: 'call_2' }] },
      { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
      { role: 'tool', tool_call_id: 'call_2', content: 'sunny' },
      { role: 'user', content: 'So?' },
    ])
  })

  test('sends images and gets thinking', async () => {
    platform.script(kind, { steps: [{ thinking: 'Light.' }, ...pieces] })
    const content = [
      { type: 'text' as const, text: 'Which colour?' },
      {
        type: 'image' as const,
        source: { type: 'base64' as const, media_type: 'image/png' as const, data: image },
      },
    ]
    const message = await anthropic.messages
      .stream({
        ...asked,
        messages: [{ role: 'user', content }],
        thinking: { type: 'enabled', budget_tokens: 2048 },
      })
      .finalMessage()
    expect(message.content).toMatchObject([
      { type: 'thinking', thinking: 'Light.' },
      { type: 'text', text: 'The sky is blue.' },
    ])
    expect(JSON.stringify(platform.lastBody(kind)['messages'])).toContain(image)
    platform.script(kind, { steps: pieces })
    // The client sends the thinking of the first model back, whichever model gets the next turn.
    await anthropic.messages.create({
      ...asked,
      messages: [...question, { role: 'assistant', content: message.content }, ...question],
    })
  })

  test('gets errors of its own classes', async () => {
    const server = kind === 'openai' ? platform.openai : platform.node
    server.script({ status: 429, headers: { 'retry-after': '7' } })
    const limited = await failureOf(() => anthropic.messages.create(asked))
    expect(limited).toBeInstanceOf(RateLimitError)
    expect((limited as RateLimitError).headers.get('retry-after')).toBe('7')
    const refused = await failureOf(() =>
      anthropic.messages.create({ ...asked, tools: [{ type: 'web_search_20250305', name: 'web_search' }] }),
    )
    expect(refused).toBeInstanceOf(BadRequestError)
    expect(String(refused)).toContain('web_search_20250305')
  })

  test('sends instructions in the middle of a conversation', async () => {
    const system = [{ type: 'text' as const, text: 'Be brief.' }]
    await anthropic.messages.create({
      ...asked,
      messages: [...question, { role: 'system', content: system }],
    })
    expect(platform.lastBody(kind)['messages']).toEqual([
      ...question,
      { role: 'system', content: 'Be brief.' },
    ])
    const picture = { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } }
    const body = { ...asked, messages: [...question, { role: 'system', content: [picture] }] }
    const failure = await failureOf(() => anthropic.post('/v1/messages', { body }))
    expect(failure).toBeInstanceOf(BadRequestError)
    expect(String(failure)).toContain('messages[1].content[0].type must be text')
  })

  test('gets events in their order', async () => {
    platform.script(kind, { steps: pieces })
    const events = await collect(await anthropic.messages.create({ ...asked, stream: true }))
    expect(events.map(({ type }) => type)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
  })
})
