import { describe, expect, test } from 'vitest'
import type { ModelPart } from '../providers/provider.ts'
import { createOutputCollector } from './collect-output.ts'
import { isRecorded, type RecordingChoice, type RecordingMode } from './content-recorder.ts'

const end: ModelPart = {
  type: 'end',
  finish: 'stop',
  usage: { inputTokens: 1, cachedInputTokens: null, outputTokens: 1 },
}

const events = (...data: readonly unknown[]) =>
  Buffer.from(data.map((item) => `data: ${JSON.stringify(item)}\n\n`).join(''))

async function collect(
  protocol: Parameters<typeof createOutputCollector>[0],
  ...parts: readonly ModelPart[]
) {
  const collector = createOutputCollector(protocol)
  for (const part of parts) collector.onPart(part)
  return collector.describe()
}

describe('parts in a format independent of providers', () => {
  test('are one choice with text, reasoning and tool calls', async () => {
    const { content } = await collect(
      undefined,
      { type: 'thinking', text: 'Hm.' },
      { type: 'text', text: 'The ' },
      { type: 'text', text: 'sky' },
      { type: 'tool_call', index: 0, id: 'c1', name: 'look' },
      { type: 'tool_arguments', index: 0, text: '{"up":' },
      { type: 'tool_arguments', index: 0, text: 'true}' },
      end,
    )
    expect(content).toEqual({
      choices: [
        {
          text: 'The sky',
          thinking: 'Hm.',
          finish_reason: 'stop',
          tool_calls: [{ id: 'c1', name: 'look', arguments: '{"up":true}' }],
        },
      ],
    })
  })

  test('of an endless response are cut', async () => {
    const collector = createOutputCollector(undefined)
    for (let index = 0; index < 5000; index += 1)
      collector.onPart({ type: 'text', text: 'word '.repeat(200) })
    expect(collector.size()).toBeLessThan(300_000)
    const { content, truncated } = await collector.describe()
    expect(truncated).toBe(true)
    expect(JSON.stringify(content).length).toBeLessThan(70_000)
  })

  test('without a part are no response', async () => {
    expect(await collect(undefined)).toEqual({ content: null, truncated: false })
  })
})

describe('a response in the protocol of the caller', () => {
  test('of OpenAI, as a stream, has all its choices', async () => {
    const bytes = events(
      { choices: [{ index: 0, delta: { role: 'assistant', content: '' } }] },
      {
        choices: [
          { index: 0, delta: { content: 'Hel' } },
          { index: 1, delta: { content: 'Good' } },
        ],
      },
      {
        choices: [{ index: 0, delta: { content: 'lo', reasoning_content: 'Greet.' }, finish_reason: 'stop' }],
      },
      {
        choices: [
          {
            index: 1,
            delta: { tool_calls: [{ index: 0, id: 'c1', function: { name: 'f', arguments: '{' } }] },
          },
        ],
      },
      { choices: [{ index: 1, delta: { tool_calls: [{ index: 0, function: { arguments: '}' } }] } }] },
    )
    // Chunks end anywhere, in the middle of an event as well.
    const { content } = await collect(
      'openai.chat',
      { type: 'raw', bytes: bytes.subarray(0, 100), outputBytes: 3 },
      { type: 'raw', bytes: bytes.subarray(100), outputBytes: 3 },
      { type: 'raw', bytes: Buffer.from('data: [DONE]\n\n'), outputBytes: 0 },
      end,
    )
    expect(content).toEqual({
      choices: [
        { text: 'Hello', thinking: 'Greet.', finish_reason: 'stop' },
        { text: 'Good', finish_reason: null, tool_calls: [{ id: 'c1', name: 'f', arguments: '{}' }] },
      ],
    })
  })

  test.each([
    [
      'openai.chat' as const,
      { choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'length' }] },
    ],
    ['openai.completions' as const, { choices: [{ index: 0, text: 'Hi', finish_reason: 'length' }] }],
    [
      'anthropic.messages' as const,
      { type: 'message', content: [{ type: 'text', text: 'Hi' }], stop_reason: 'length' },
    ],
    [
      'openai.responses' as const,
      {
        object: 'response',
        status: 'incomplete',
        incomplete_details: { reason: 'length' },
        output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hi' }] }],
      },
    ],
    ['ollama.chat' as const, { message: { content: 'Hi' }, done: true, done_reason: 'length' }],
    ['ollama.generate' as const, { response: 'Hi', done: true, done_reason: 'length' }],
  ])('of %s, as a whole', async (protocol, body) => {
    const bytes = Buffer.from(JSON.stringify(body))
    const { content } = await collect(protocol, { type: 'raw', bytes, outputBytes: 2 }, end)
    expect(content).toEqual({ choices: [{ text: 'Hi', finish_reason: 'length' }] })
  })

  test('of Anthropic, as a stream', async () => {
    const bytes = events(
      { type: 'message_start', message: {} },
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hm.' } },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Yes' } },
      {
        type: 'content_block_start',
        index: 2,
        content_block: { type: 'tool_use', id: 't1', name: 'f', input: {} },
      },
      { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"a":1}' } },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
    )
    const { content } = await collect('anthropic.messages', { type: 'raw', bytes, outputBytes: 3 }, end)
    expect(content).toEqual({
      choices: [
        {
          text: 'Yes',
          thinking: 'Hm.',
          finish_reason: 'tool_use',
          tool_calls: [{ id: 't1', name: 'f', arguments: '{"a":1}' }],
        },
      ],
    })
  })

  const searched = { type: 'web_search_call', id: 'ws_1', action: { type: 'search', query: 'sky' } }
  const started = [
    { type: 'response.created', response: { object: 'response', status: 'in_progress', output: [] } },
    { type: 'response.output_item.added', item: searched },
    { type: 'response.output_item.added', item: { type: 'reasoning', summary: [] } },
    { type: 'response.reasoning_summary_text.delta', delta: 'H' },
    { type: 'response.reasoning_summary_text.delta', delta: 'm.' },
    { type: 'response.output_item.added', item: { type: 'message', content: [] } },
    { type: 'response.output_text.delta', delta: 'Ye' },
    { type: 'response.output_text.delta', delta: 's' },
    {
      type: 'response.output_item.added',
      item: { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'f', arguments: '' },
    },
    { type: 'response.function_call_arguments.delta', delta: '{"a":1}' },
  ]
  const expected = {
    text: 'Yes',
    thinking: 'Hm.',
    tool_calls: [
      { id: 'ws_1', name: 'web_search_call', arguments: '{"type":"search","query":"sky"}' },
      { id: 'c1', name: 'f', arguments: '{"a":1}' },
    ],
  }

  test('of the Responses API, as a stream that broke off', async () => {
    const bytes = events(...started)
    const { content } = await collect('openai.responses', { type: 'raw', bytes, outputBytes: 3 })
    expect(content).toEqual({ choices: [{ ...expected, finish_reason: null }] })
  })

  test('of the Responses API, as a stream whose last event repeats the output', async () => {
    const output = [
      searched,
      {
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'H' }],
        content: [{ type: 'reasoning_text', text: 'm.' }],
      },
      { type: 'message', content: [{ type: 'output_text', text: 'Yes' }] },
      { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'f', arguments: '{"a":1}' },
    ]
    const response = { object: 'response', status: 'completed', incomplete_details: null, output }
    const bytes = events(...started, { type: 'response.completed', response })
    const { content } = await collect('openai.responses', { type: 'raw', bytes, outputBytes: 3 }, end)
    expect(content).toEqual({ choices: [{ ...expected, finish_reason: 'completed' }] })
  })

  test('of the model runtime, as lines', async () => {
    const lines = [
      { message: { role: 'assistant', content: '', thinking: 'Hm.' }, done: false },
      { message: { role: 'assistant', content: 'Ye' }, done: false },
      { message: { role: 'assistant', content: 's' }, done: false },
      {
        message: { content: '', tool_calls: [{ function: { name: 'f', arguments: { a: 1 } } }] },
        done: false,
      },
      { message: { content: '', tool_calls: [{ id: 'c2', function: { name: 'g' } }] }, done: false },
      { message: { role: 'assistant', content: '' }, done: true, done_reason: 'stop' },
    ]
    const bytes = Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const { content } = await collect(
      'ollama.chat',
      { type: 'raw', bytes: bytes.subarray(0, 100), outputBytes: 3 },
      { type: 'raw', bytes: bytes.subarray(100), outputBytes: 3 },
      end,
    )
    expect(content).toEqual({
      choices: [
        {
          text: 'Yes',
          thinking: 'Hm.',
          finish_reason: 'stop',
          tool_calls: [
            { id: '', name: 'f', arguments: '{"a":1}' },
            { id: 'c2', name: 'g', arguments: '{}' },
          ],
        },
      ],
    })
  })

  test('above a megabyte is read up to its last complete event', async () => {
    const one = events({ choices: [{ index: 0, delta: { content: 'word '.repeat(1000) } }] })
    const parts: ModelPart[] = Array.from({ length: 400 }, () => ({
      type: 'raw',
      bytes: one,
      outputBytes: 5000,
    }))
    const { content, truncated } = await collect('openai.chat', ...parts, end)
    expect(truncated).toBe(true)
    expect(JSON.stringify(content)).toMatch(/^\{"choices":\[\{"text":"word word/)
    expect(JSON.stringify(content).length).toBeLessThan(70_000)
  })
})

test.each<[RecordingMode, RecordingChoice, boolean]>([
  ['off', undefined, false],
  ['off', 'on', false],
  ['on-request', undefined, false],
  ['on-request', 'on', true],
  ['on-request', 'off', false],
  ['on', undefined, true],
  ['on', 'off', false],
])('with MODEL_RECORDING=%s, a request that says %s: recorded %s', (mode, choice, recorded) => {
  expect(isRecorded(mode, choice)).toBe(recorded)
})
