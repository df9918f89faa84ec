import { describe, expect, test } from 'vitest'
import { type ProtocolReader, protocolReaders } from './protocols.ts'

const openAi = protocolReaders['openai.chat']
const anthropic = protocolReaders['anthropic.messages']
const chunk = (choice: object, more: object = {}) =>
  JSON.stringify({ id: 'c', choices: [{ index: 0, ...choice }], ...more })

describe('events of OpenAI', () => {
  test.each([
    ['text', { delta: { content: 'blue' }, finish_reason: null }, 4],
    ['reasoning', { delta: { reasoning_content: 'hm' } }, 2],
    ['arguments of a tool', { delta: { tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] } }, 6],
    ['text of a completion', { text: 'blue' }, 4],
    ['a text that mentions an error', { delta: { content: '"error": "usage"' } }, 20],
  ])('count the bytes of %s', (_what, choice, outputBytes) => {
    const reading = openAi.readEvent(chunk(choice))
    expect(reading?.outputBytes).toBe(outputBytes)
    expect(reading?.error).toBeUndefined()
    expect(reading?.isEnd).not.toBe(true)
  })

  test.each([
    ['stop', 'stop'],
    ['length', 'length'],
    ['tool_calls', 'tool_calls'],
    ['function_call', 'tool_calls'],
    ['content_filter', 'content_filter'],
    ['end_of_story', 'other'],
  ])('end by %s', (reason, finish) => {
    expect(openAi.readEvent(chunk({ delta: {}, finish_reason: reason }))).toMatchObject({ finish })
  })

  test('carry usage, alone or with a choice', () => {
    const usage = { prompt_tokens: 9, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 4 } }
    const counts = { inputTokens: 9, cachedInputTokens: 4, outputTokens: 3 }
    expect(openAi.readEvent(JSON.stringify({ choices: [], usage }))).toMatchObject({
      usage: counts,
      isUsageOnly: true,
    })
    expect(openAi.readEvent(chunk({ delta: {}, finish_reason: 'stop' }, { usage }))).toMatchObject({
      usage: counts,
      isUsageOnly: false,
      finish: 'stop',
    })
    expect(openAi.readEvent(chunk({ delta: {} }, { usage: null }))?.usage).toBeUndefined()
  })

  test('may be an error or the end', () => {
    const error = { error: { message: 'busy', type: 'server_error' } }
    expect(openAi.readEvent(JSON.stringify(error))).toMatchObject({ error })
    expect(openAi.readEvent(chunk({ delta: {} }, { error: null }))?.error).toBeUndefined()
    expect(openAi.readEvent('[DONE]')).toMatchObject({ isEnd: true })
  })

  test.each(['', 'null', '[]', 'oops', '{"choices": [', '{"usage": }'])('must not be %j', (data) => {
    expect(openAi.readEvent(data)).toBeUndefined()
  })
})

const readWhole = (reader: ProtocolReader, body: Record<string, unknown>) =>
  reader.readWhole(body, JSON.stringify(body))

describe('whole responses of OpenAI', () => {
  test('report finish, usage and the bytes of all choices', () => {
    const choices = [
      { index: 0, message: { content: 'blue' }, finish_reason: 'length' },
      { index: 1, message: { content: 'red' }, finish_reason: 'stop' },
    ]
    const usage = { prompt_tokens: 9, completion_tokens: 3 }
    expect(readWhole(openAi, { choices, usage })).toEqual({
      outputBytes: 7,
      finish: 'length',
      usage: { inputTokens: 9, cachedInputTokens: null, outputTokens: 3 },
    })
  })

  test.each([[{}], [{ choices: [] }], [{ error: { message: 'no' } }]])('must not be %j', (body) => {
    expect(readWhole(openAi, body)).toBeUndefined()
  })
})

const read = (event: object) => anthropic.readEvent(JSON.stringify(event))

describe('events of Anthropic', () => {
  test.each([
    [{ type: 'text_delta', text: 'blue' }, 4],
    [{ type: 'thinking_delta', thinking: 'hm' }, 2],
    [{ type: 'input_json_delta', partial_json: '{"a"' }, 6],
    [{ type: 'signature_delta', signature: 'c2ln' }, 0],
  ])('count the bytes of %j', (delta, outputBytes) => {
    const event = { type: 'content_block_delta', index: 0, delta }
    expect(anthropic.readEvent(JSON.stringify(event))).toMatchObject({ outputBytes })
    // Another order of fields, as compatible servers may have it.
    const { type, ...rest } = event
    expect(anthropic.readEvent(JSON.stringify({ ...rest, type }))).toMatchObject({ outputBytes })
  })

  test('carry usage at the start and at the end', () => {
    const counted = { input_tokens: 5, cache_read_input_tokens: 3, cache_creation_input_tokens: 2 }
    const start = { type: 'message_start', message: { usage: { ...counted, output_tokens: 1 } } }
    expect(anthropic.readEvent(JSON.stringify(start))?.usage).toEqual({
      inputTokens: 10,
      cachedInputTokens: 3,
      cacheWriteTokens: 2,
      outputTokens: null,
    })
    const delta = { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 7 } }
    expect(anthropic.readEvent(JSON.stringify(delta))).toMatchObject({
      finish: 'tool_calls',
      usage: { inputTokens: null, outputTokens: 7 },
    })
  })

  test('may be a ping, an error, the end, or of a type unknown today', () => {
    expect(read({ type: 'ping' })).toEqual({ outputBytes: 0 })
    expect(read({ type: 'message_stop' })).toMatchObject({ isEnd: true })
    expect(
      read({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } })?.error,
    ).toBeDefined()
    expect(read({ type: 'something_new', text: 'abc' })).toEqual({ outputBytes: 3 })
  })

  test.each(['', '[DONE]', 'null', '{"type": ', '{"index": 0}'])('must not be %j', (data) => {
    expect(anthropic.readEvent(data)).toBeUndefined()
  })
})

describe('whole responses of Anthropic', () => {
  test('report finish and usage', () => {
    const content = [
      { type: 'thinking', thinking: 'hm' },
      { type: 'text', text: 'blue' },
    ]
    const body = {
      type: 'message',
      content,
      stop_reason: 'refusal',
      usage: { input_tokens: 5, output_tokens: 2 },
    }
    expect(readWhole(anthropic, body)).toMatchObject({
      outputBytes: 6,
      finish: 'content_filter',
      usage: { inputTokens: 5, outputTokens: 2 },
    })
  })

  test.each([[{}], [{ type: 'message' }], [{ type: 'error', error: {} }]])('must not be %j', (body) => {
    expect(readWhole(anthropic, body)).toBeUndefined()
  })
})
