import { describe, expect, test } from 'vitest'
import type { EmbedCall, ModelCall } from '../../providers/provider.ts'
import { chatCall, embedCall, generateCall } from './to-model-call.ts'

const model = 'gemma3:4b'

/** The call for other providers, without undefined fields, which count as absent. */
const plain = ({ original: _original, ...call }: ModelCall | EmbedCall) =>
  JSON.parse(JSON.stringify(call)) as unknown

describe('a body of generate', () => {
  test('has a prompt', () => {
    expect(plain(generateCall({ model, prompt: 'Why?', stream: false }))).toEqual({
      model,
      kind: 'generate',
      messages: [{ role: 'user', content: 'Why?' }],
    })
  })

  test('has a system message before it', () => {
    expect(generateCall({ model, prompt: 'Why?', system: 'Be brief.' }).messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Why?' },
    ])
  })

  test('without a prompt has an empty one, with which the runtime loads a model', () => {
    expect(generateCall({ model, keep_alive: '10m' })).toMatchObject({
      messages: [{ role: 'user', content: '' }],
      runtime: { keep_alive: '10m' },
    })
  })

  test('converts the options that all providers support', () => {
    const call = generateCall({
      model,
      prompt: 'Why?',
      options: {
        temperature: 0,
        top_p: 0.9,
        seed: 7,
        num_predict: 20,
        stop: ['\n'],
        presence_penalty: 0.5,
        frequency_penalty: 0.25,
        top_k: 40,
        min_p: 0.05,
      },
    })
    expect(plain(call)).toEqual({
      model,
      kind: 'generate',
      messages: [{ role: 'user', content: 'Why?' }],
      temperature: 0,
      topP: 0.9,
      seed: 7,
      maxTokens: 20,
      stop: ['\n'],
      presencePenalty: 0.5,
      frequencyPenalty: 0.25,
      topK: 40,
      minP: 0.05,
    })
  })

  test('keeps fields that only nodes support unchanged', () => {
    const runtime = {
      keep_alive: -1,
      raw: true,
      template: '{{ .Prompt }}',
      suffix: 'return',
      context: [1, 2, 3],
      truncate: false,
      shift: true,
    }
    const others = { num_ctx: 8192, mirostat: 2 }
    const options = { temperature: 1, ...others }
    expect(generateCall({ model, prompt: '', options, ...runtime })).toMatchObject({
      temperature: 1,
      runtime: { ...runtime, options: others },
    })
  })

  test.each([
    [{ num_predict: -1 }, { maxTokens: undefined }],
    [{ num_predict: 0 }, { maxTokens: undefined }],
    [{ seed: -1 }, { seed: undefined }],
  ])('%j has a special meaning in the runtime', (options, neutral) => {
    expect(generateCall({ model, prompt: '', options })).toMatchObject({ ...neutral, runtime: { options } })
  })

  test.each([
    ['' as const, undefined],
    ['json' as const, {}],
    [{ type: 'object' }, { schema: { type: 'object' } }],
  ])('the format %j', (format, meant) => {
    expect(generateCall({ model, prompt: '', format }).format).toEqual(meant)
  })
})

const callOf = (name: string) => ({ function: { name, arguments: { city: 'Oslo' } } })

describe('a body of chat', () => {
  test('has its messages', () => {
    const messages = [
      { role: 'system' as const, content: 'Be brief.' },
      { role: 'user' as const, content: 'Why?' },
    ]
    expect(plain(chatCall({ model, messages }))).toEqual({ model, kind: 'chat', messages })
  })

  test('has its body as the original request', () => {
    const body = { model, messages: [{ role: 'user' as const, content: 'Why?' }], keep_alive: 0 }
    expect(chatCall(body).original).toEqual({ protocol: 'ollama.chat', body, stream: true, nativeFields: [] })
    expect(generateCall({ model, stream: false }).original).toMatchObject({
      protocol: 'ollama.generate',
      stream: false,
    })
  })

  test.each([
    ['iVBORw0KGgoAAA', 'image/png'],
    ['/9j/4AAQ', 'image/jpeg'],
    ['R0lGODlh', 'image/gif'],
    ['UklGRiQA', 'image/webp'],
    ['aGk=', 'image/png'],
  ])('has the image %s as %s', (data, type) => {
    const messages = [{ role: 'user' as const, content: 'What is it?', images: [data] }]
    expect(chatCall({ model, messages }).messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image', url: `data:${type};base64,${data}` },
        ],
      },
    ])
  })

  test('has tools, and results in the order of their calls or by the name of their tool', () => {
    const { messages, tools } = chatCall({
      model,
      tools: [{ type: 'function', function: { name: 'weather', description: 'Now.' } }],
      messages: [
        {
          role: 'assistant',
          thinking: 'Hm.',
          tool_calls: [callOf('weather'), callOf('time'), callOf('weather')],
        },
        { role: 'tool', content: '10:00', tool_name: 'time' },
        { role: 'tool', content: 'sun' },
        { role: 'tool', content: 'rain', tool_name: 'weather' },
        { role: 'tool', content: '?', tool_name: 'news' },
      ],
    })
    expect(tools).toEqual([
      { name: 'weather', description: 'Now.', parameters: { type: 'object', properties: {} } },
    ])
    const input = '{"city":"Oslo"}'
    expect(messages).toEqual([
      {
        role: 'assistant',
        content: '',
        thinking: [{ text: 'Hm.' }],
        toolCalls: [
          { id: 'call_0_0', name: 'weather', arguments: input },
          { id: 'call_0_1', name: 'time', arguments: input },
          { id: 'call_0_2', name: 'weather', arguments: input },
        ],
      },
      { role: 'tool', content: '10:00', toolCallId: 'call_0_1' },
      { role: 'tool', content: 'sun', toolCallId: 'call_0_0' },
      { role: 'tool', content: 'rain', toolCallId: 'call_0_2' },
      { role: 'tool', content: '?', toolCallId: 'call_news' },
    ])
  })

  test.each([
    [true, 'medium'],
    [false, 'none'],
    ['low' as const, 'low'],
    ['max' as const, 'xhigh'],
  ])('with think %j has the effort %s', (think, effort) => {
    expect(chatCall({ model, think }).reasoningEffort).toBe(effort)
  })
})

test('a single text to embed becomes a list', () => {
  expect(embedCall({ model, input: 'a' }).inputs).toEqual(['a'])
  expect(plain(embedCall({ model, input: ['a', 'b'], dimensions: 3 }))).toEqual({
    model,
    inputs: ['a', 'b'],
    dimensions: 3,
  })
})

const numContext = { num_ctx: 512 }

test('fields of embeddings that only nodes support are named, hints are not', () => {
  const body = {
    model,
    input: 'a',
    truncate: false,
    keep_alive: '5m',
    options: { temperature: 0, ...numContext },
  }
  expect(embedCall(body).original).toEqual({
    protocol: 'ollama.embed',
    body,
    stream: false,
    nativeFields: ['truncate', 'options.temperature'],
  })
})
