import { describe, expect, test } from 'vitest'
import type { ModelCall, ModelPart } from '../providers/provider.ts'
import { createAnswerCache } from './answer-cache.ts'
import { cacheKeyOf } from './cache-key.ts'
import { lookUpAnswer } from './remembered-answer.ts'

const call: ModelCall = {
  model: 'm',
  kind: 'chat',
  messages: [{ role: 'user', content: 'Hi' }],
  temperature: 0,
}
const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 }
const end: ModelPart & { type: 'end' } = { type: 'end', finish: 'stop', usage }
const answer = (text: string): readonly ModelPart[] => [{ type: 'text', text }, end]
const hour = 3_600_000

const open = () => createAnswerCache({ cacheBytes: 40_000, cacheTtlMs: hour })
const asked = (wish: 'use' | 'refresh' | 'off') => ({ accountId: 'ada', cache: wish })

function answerOnce(cache: ReturnType<typeof open>, parts: readonly ModelPart[]): void {
  const found = lookUpAnswer(cache, asked('use'), 'openai', call)
  if (found.state !== 'miss') throw new Error('expected to be asked')
  for (const part of parts) found.note(part)
}

describe('answers in memory', () => {
  test('stay within their bytes: the one used longest ago goes first', () => {
    const cache = open()
    for (let n = 0; n < 13; n += 1) cache.put(`key ${n}`, answer('x'.repeat(1000)))
    expect(cache.bytes()).toBe(39_000)
    expect(cache.get('key 0')).toEqual(answer('x'.repeat(1000)))
    cache.put('key 13', answer('x'.repeat(1000)))
    expect(cache.bytes()).toBe(39_000)
    expect(cache.get('key 1')).toBeUndefined()
    expect(cache.get('key 0')).toBeDefined()
    cache.put('key 0', answer('short'))
    expect(cache.bytes()).toBe(39_000 - 2 * 995)
  })

  test('are forgotten when they are old', () => {
    let nowMs = 0
    const cache = createAnswerCache({ cacheBytes: 40_000, cacheTtlMs: 1000, now: () => nowMs })
    cache.put('key', answer('Hi'))
    nowMs = 999
    expect(cache.get('key')).toBeDefined()
    nowMs = 1000
    expect(cache.get('key')).toBeUndefined()
    expect(cache.bytes()).toBe(0)
  })

  test('are not kept when one would take an eighth of the room', () => {
    const cache = open()
    cache.put('key', answer('x'.repeat(2001)))
    expect(cache.bytes()).toBe(0)
  })
})

describe('what is looked up', () => {
  test('is the whole answer with its pieces joined, and without how long it took', () => {
    const cache = open()
    answerOnce(cache, [
      { type: 'thinking', text: 'Hm' },
      { type: 'thinking', text: '.' },
      { type: 'text', text: 'Good ' },
      { type: 'text', text: 'day' },
      { ...end, runtime: { total_duration: 12, eval_count: 2 } },
    ])
    expect(lookUpAnswer(cache, asked('use'), 'openai', call)).toEqual({
      state: 'hit',
      parts: [
        { type: 'thinking', text: 'Hm.' },
        { type: 'text', text: 'Good day' },
        { ...end, runtime: { eval_count: 2 } },
      ],
    })
  })

  test('is nothing while an answer has no end, or ended strangely, or is too long', () => {
    const cache = open()
    answerOnce(cache, [{ type: 'text', text: 'Good ' }])
    answerOnce(cache, [
      { type: 'text', text: 'Good ' },
      { ...end, finish: 'other' },
    ])
    answerOnce(cache, [{ type: 'text', text: 'x'.repeat(3000) }, end])
    expect(cache.bytes()).toBe(0)
  })

  test('is asked anew with refresh, and neither found nor kept with off', () => {
    const cache = open()
    answerOnce(cache, answer('Old'))
    expect(lookUpAnswer(cache, asked('off'), 'openai', call).state).toBe('off')
    const again = lookUpAnswer(cache, asked('refresh'), 'openai', call)
    if (again.state === 'miss') for (const part of answer('New')) again.note(part)
    expect(lookUpAnswer(cache, asked('use'), 'openai', call)).toMatchObject({ parts: answer('New') })
  })

  test('is nothing at all without room', () => {
    const cache = createAnswerCache({ cacheBytes: 0, cacheTtlMs: hour })
    expect(lookUpAnswer(cache, asked('use'), 'openai', call).state).toBe('off')
  })
})

describe('the key of a call', () => {
  const key = cacheKeyOf('ada', 'openai', call)

  test('is the same for the same call, however its objects are ordered', () => {
    const schema = { type: 'object', required: ['a'] }
    const turned = { required: ['a'], type: 'object' }
    expect(cacheKeyOf('ada', 'openai', { ...call, format: { schema } })).toBe(
      cacheKeyOf('ada', 'openai', { ...call, format: { schema: turned } }),
    )
    expect(cacheKeyOf('ada', 'openai', { ...call, seed: undefined })).toBe(key)
  })

  test.each<[string, string | undefined]>([
    ['another account', cacheKeyOf('grace', 'openai', call)],
    ['another provider', cacheKeyOf('ada', 'anthropic', call)],
    ['another model', cacheKeyOf('ada', 'openai', { ...call, model: 'n' })],
    ['another kind', cacheKeyOf('ada', 'openai', { ...call, kind: 'generate' })],
    ['other words', cacheKeyOf('ada', 'openai', { ...call, messages: [{ role: 'system', content: 'Hi' }] })],
    ['another bound', cacheKeyOf('ada', 'openai', { ...call, maxTokens: 5 })],
    ['another form', cacheKeyOf('ada', 'openai', { ...call, format: {} })],
  ])('is another for %s', (_what, other) => {
    expect(other).toBeDefined()
    expect(other).not.toBe(key)
  })

  test('is there for what always answers the same, and only for that', () => {
    const { temperature: _, ...warm } = call
    expect(cacheKeyOf('ada', 'openai', warm)).toBeUndefined()
    expect(cacheKeyOf('ada', 'openai', { ...warm, temperature: 0.1 })).toBeUndefined()
    expect(cacheKeyOf('ada', 'openai', { ...warm, seed: 7, temperature: 1 })).toBeDefined()
    expect(cacheKeyOf('ada', 'builtin', warm)).toBeDefined()
    expect(cacheKeyOf('ada', 'ollama', { ...call, runtime: { options: { num_ctx: 512 } } })).toBeDefined()
    expect(cacheKeyOf('ada', 'ollama', { ...call, runtime: { keep_alive: 0 } })).toBeUndefined()
    expect(cacheKeyOf('ada', 'ollama', { ...call, runtime: { context: [1, 2] } })).toBeUndefined()
  })
})
