import { describe, expect, test } from 'vitest'
import { readJsonLines, readLine } from './read-response.ts'

async function read(...chunks: readonly Uint8Array[]): Promise<unknown[]> {
  const body = (async function* () {
    yield* chunks
  })()
  const options = { label: 'The node', maxBytes: 64, onBytes: () => {} }
  const values: unknown[] = []
  for await (const value of readJsonLines(body, options)) values.push(value)
  return values
}

const bytes = (text: string) => new TextEncoder().encode(text)

test('lines are read from any chunks, even split inside a character', async () => {
  const whole = bytes('{"a":"über"}\n\r\n{"b":"🌤"}\n{"c":1}')
  const expected = [{ a: 'über' }, { b: '🌤' }, { c: 1 }]
  for (let cut = 0; cut <= whole.length; cut++) {
    expect(await read(whole.subarray(0, cut), whole.subarray(cut))).toEqual(expected)
  }
  expect(await read(...Array.from(whole, (byte) => Uint8Array.of(byte)))).toEqual(expected)
})

test('a line is returned as soon as it is complete', async () => {
  const { promise: never } = Promise.withResolvers<void>()
  const body = (async function* () {
    yield bytes('{"a":1}\n{"b"')
    await never
  })()
  const lines = readJsonLines(body, { label: 'It', maxBytes: 64, onBytes: () => {} })
  expect(await lines.next()).toEqual({ done: false, value: { a: 1 } })
})

test('an empty body has no lines', async () => {
  expect(await read()).toEqual([])
  expect(await read(bytes('\n\n'))).toEqual([])
})

test.each([
  ['half a line at the end', [bytes('{"a":1}\n{"b":')]],
  ['two values on a line', [bytes('{"a":1}{"b":2}\n')]],
  ['a page', [bytes('<h1>Hello</h1>\n')]],
  ['bytes that are no text', [Uint8Array.of(0x22, 0xff, 0x22, 10)]],
  ['a character that is torn off', [bytes('"ü').subarray(0, 2), bytes('\n')]],
  ['a line without end', [bytes('"x'.repeat(20)), bytes('x'.repeat(40))]],
])('%s is refused', async (_what, chunks) => {
  await expect(read(...chunks)).rejects.toMatchObject({ kind: 'malformed' })
})

test('a long line is accepted up to the bound', async () => {
  const line = JSON.stringify('x'.repeat(62))
  expect(await read(bytes(line.slice(0, 40)), bytes(`${line.slice(40)}\n`))).toEqual(['x'.repeat(62)])
})

const head = { model: 'gemma3:4b', created_at: '2026-05-04T17:37:44Z' }

describe('a line of a response', () => {
  test('may contain text, reasoning, both or neither', () => {
    const chat = (message: object) => readLine('It', 'chat', { ...head, message, done: false })
    expect(chat({ role: 'assistant', content: 'Hi' })).toEqual([{ type: 'text', text: 'Hi' }])
    expect(chat({ content: '', thinking: 'Hm' })).toEqual([{ type: 'thinking', text: 'Hm' }])
    expect(chat({ content: 'Hi', thinking: 'Hm' })).toEqual([
      { type: 'thinking', text: 'Hm' },
      { type: 'text', text: 'Hi' },
    ])
    expect(chat({ content: '' })).toEqual([])
    expect(readLine('It', 'generate', { ...head, response: 'Hi', thinking: 'Hm', done: false })).toEqual([
      { type: 'thinking', text: 'Hm' },
      { type: 'text', text: 'Hi' },
    ])
  })

  test('is the last with its usage and the further fields of the runtime', () => {
    const providerMessage = {
      created_at: head.created_at,
      done_reason: 'length',
      total_duration: 5,
      context: [1, 2],
    }
    const last = {
      ...head,
      ...providerMessage,
      response: '.',
      done: true,
      prompt_eval_count: 11,
      eval_count: 3,
    }
    expect(readLine('It', 'generate', last)).toEqual([
      { type: 'text', text: '.' },
      {
        type: 'end',
        finish: 'length',
        usage: { inputTokens: 11, cachedInputTokens: null, outputTokens: 3 },
        runtime: { ...providerMessage, prompt_eval_count: 11, eval_count: 3 },
      },
    ])
  })

  test.each([
    [undefined, 'stop'],
    ['stop', 'stop'],
    ['length', 'length'],
    ['load', 'other'],
  ])('done for %s is %s', (reason, finish) => {
    const last = { response: '', done: true, ...(reason !== undefined && { done_reason: reason }) }
    expect(readLine('It', 'generate', last)).toMatchObject([
      { finish, usage: { inputTokens: null, outputTokens: null } },
    ])
  })
})

test('an error line becomes a failure with its message', () => {
  expect(() => readLine('The node', 'chat', { error: 'out of\nmemory' })).toThrow(
    expect.objectContaining({
      kind: 'unavailable',
      message: 'The node failed in the middle of the response: out of memory',
    }),
  )
})

test.each([
  ['generate', { message: { content: 'Hi' }, done: false }],
  ['chat', { response: 'Hi', done: false }],
  ['chat', { message: { content: null }, done: false }],
  ['generate', { response: 'Hi' }],
  ['generate', { response: 'Hi', done: true, eval_count: -1 }],
  ['generate', { response: 'Hi', done: true, eval_count: 1.5 }],
  ['generate', {}],
  ['generate', ['Hi']],
  ['generate', 'Hi'],
  ['generate', null],
] as const)('for %s, %j is not a valid line', (kind, line) => {
  expect(() => readLine('It', kind, line)).toThrow(expect.objectContaining({ kind: 'malformed' }))
})
