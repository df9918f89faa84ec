import { describe, expect, test } from 'vitest'
import { StreamEnd } from './stream-end.ts'
import type { ResponseHead } from './wire/response-head.ts'

const head = (type: string, more: Partial<ResponseHead> = {}): ResponseHead => ({
  status: 200,
  headers: [],
  type,
  length: undefined,
  isEncoded: false,
  ...more,
})
const lines = head('application/x-ndjson')
const events = head('text/event-stream; charset=utf-8')

/** Whether the stream is complete with these chunks. */
function isComplete(path: string, ...chunks: readonly string[]): boolean | undefined {
  const end = StreamEnd.of(path, path.startsWith('/api/') ? lines : events)
  for (const chunk of chunks) end?.add(Buffer.from(chunk))
  return end?.isReached
}

const native = '{"message":{"content":"The"},"done":false}\n'
const completion = 'data: {"choices":[{"delta":{"content":"The"},"finish_reason":null}]}\n\n'

describe('a stream is complete with', () => {
  test.each([
    ['/api/chat', native, '{"message":{"content":""},"done":true,"done_reason":"stop"}\n'],
    ['/api/generate', '{"response": "The", "done": false}\n', '{"response": "", "done": true}\n'],
    ['/api/generate', native, '{"error":"out of memory"}\n'],
    ['/v1/chat/completions', completion, completion.replace('null', '"stop"')],
    ['/v1/completions?a=1', completion, 'data: {"choices": [{"text": "", "finish_reason": "length"}]}\n\n'],
    ['/v1/chat/completions', completion, 'data: [DONE]\n\n'],
    ['/v1/chat/completions', completion, 'data: {"error":{"message":"out of memory"}}\n\n'],
    [
      '/v1/messages',
      'data: {"type":"content_block_stop","index":0}\n\n',
      'data: {"type":"message_stop"}\n\n',
    ],
    ['/v1/messages', 'data: {"type": "ping"}\n\n', 'event: error\ndata: {"type": "error"}\n\n'],
    ['/v1/responses', 'data: {"type":"response.created"}\n\n', 'data: {"type":"response.completed"}\n\n'],
    ['/v1/responses', 'data: {"type":"response.created"}\n\n', 'data: {"type": "response.failed"}\n\n'],
  ])('its last event, also one that arrives in two chunks (%s, %#)', (path, before, last) => {
    expect(isComplete(path)).toBe(false)
    expect(isComplete(path, before, before)).toBe(false)
    expect(isComplete(path, before, last, '\n')).toBe(true)
    expect(isComplete(path, before, ...Array.from(last))).toBe(true)
    for (let cut = 1; cut < last.length; cut += 1) {
      expect(isComplete(path, before + last.slice(0, cut), last.slice(cut))).toBe(true)
    }
  })

  test('a last event that is long, in chunks without a line feed', () => {
    const last = JSON.stringify({ type: 'response.completed', response: { text: 'x'.repeat(100_000) } })
    expect(isComplete('/v1/responses', 'data: ', ...(last.match(/.{1,4096}/g) ?? []), '\n\n')).toBe(true)
  })
})

test('text that looks like an end is none', () => {
  const text = '"done":true, "finish_reason":"stop"\ndata: [DONE]\n{"error":1}'
  const quoted = JSON.stringify({ message: { content: text }, done: false })
  expect(isComplete('/api/chat', `${quoted}\n`)).toBe(false)
  expect(isComplete('/v1/completions', `data: ${quoted}\n\n`)).toBe(false)
  expect(isComplete('/v1/completions', 'data: [DO', '\n', 'NE]')).toBe(false)
  for (const word of ['message_stop', 'event: error']) {
    expect(isComplete('/v1/messages', `data: {"type":"text_delta","text":"${word}"}\n\n`)).toBe(false)
  }
})

test.each([
  ['an unknown path', '/v1/audio/speech', events],
  ['an error status', '/api/chat', head(lines.type, { status: 404 })],
  ['a known length', '/api/chat', head(lines.type, { length: 10 })],
  ['a compressed body', '/api/chat', head(lines.type, { isEncoded: true })],
  ['one piece of JSON', '/api/chat', head('application/json')],
])('a response with %s ends with its connection', (_what, path, response) => {
  expect(StreamEnd.of(path, response)).toBeUndefined()
})
