import { describe, expect, test } from 'vitest'
import { readLine } from './read-line.ts'

const head = { model: 'gemma3:4b', created_at: '2026-05-04T17:37:44Z' }

describe('a line of an answer', () => {
  test('is text, or thought, or both, or neither', () => {
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

  test('is the last with what it took, and with what only the runtime says', () => {
    const said = { created_at: head.created_at, done_reason: 'length', total_duration: 5, context: [1, 2] }
    const last = { ...head, ...said, response: '.', done: true, prompt_eval_count: 11, eval_count: 3 }
    expect(readLine('It', 'generate', last)).toEqual([
      { type: 'text', text: '.' },
      {
        type: 'end',
        finish: 'length',
        usage: { inputTokens: 11, cachedInputTokens: null, outputTokens: 3 },
        runtime: { ...said, prompt_eval_count: 11, eval_count: 3 },
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

test('an error says what happened', () => {
  expect(() => readLine('The node', 'chat', { error: 'out of\nmemory' })).toThrow(
    expect.objectContaining({ kind: 'unavailable', message: 'The node broke off: out of memory' }),
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
] as const)('for %s, %j is none', (kind, line) => {
  expect(() => readLine('It', kind, line)).toThrow(expect.objectContaining({ kind: 'malformed' }))
})
