import { describe, expect, test } from 'vitest'
import type { ModelCall, ModelPart } from '../providers/provider.ts'
import { cacheKeyOf, createResponseCache, lookUpResponse } from './response-cache.ts'

const call: ModelCall = {
  model: 'm',
  kind: 'chat',
  messages: [{ role: 'user', content: 'Hi' }],
  temperature: 0,
}
const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 1 }
const end: ModelPart & { type: 'end' } = { type: 'end', finish: 'stop', usage }
const response = (text: string): readonly ModelPart[] => [{ type: 'text', text }, end]
const hour = 3_600_000

const open = () => createResponseCache({ cacheBytes: 40_000, cacheTtlMs: hour })
const requestWith = (mode: 'use' | 'refresh' | 'off') => ({ accountId: 'ada', cache: mode })

function storeOnce(cache: ReturnType<typeof open>, parts: readonly ModelPart[]): void {
  const found = lookUpResponse(cache, requestWith('use'), 'openai', call)
  if (found.state !== 'miss') throw new Error('expected a cache miss')
  for (const part of parts) found.store(part)
}

describe('the response cache', () => {
  test('stays within its size and evicts the least recently used response', () => {
    const cache = open()
    for (let n = 0; n < 13; n += 1) cache.put(`key ${n}`, response('x'.repeat(1000)))
    expect(cache.bytes()).toBe(39_000)
    expect(cache.get('key 0')).toEqual(response('x'.repeat(1000)))
    cache.put('key 13', response('x'.repeat(1000)))
    expect(cache.bytes()).toBe(39_000)
    expect(cache.get('key 1')).toBeUndefined()
    expect(cache.get('key 0')).toBeDefined()
    cache.put('key 0', response('short'))
    expect(cache.bytes()).toBe(39_000 - 2 * 995)
  })

  test('drops a response after its time to live', () => {
    let nowMs = 0
    const cache = createResponseCache({ cacheBytes: 40_000, cacheTtlMs: 1000, now: () => nowMs })
    cache.put('key', response('Hi'))
    nowMs = 999
    expect(cache.get('key')).toBeDefined()
    nowMs = 1000
    expect(cache.get('key')).toBeUndefined()
    expect(cache.bytes()).toBe(0)
  })

  test('does not store a response above an eighth of its size', () => {
    const cache = open()
    cache.put('key', response('x'.repeat(2001)))
    expect(cache.bytes()).toBe(0)
  })
})

describe('a cache lookup', () => {
  test('finds the whole response with its parts joined and without durations', () => {
    const cache = open()
    storeOnce(cache, [
      { type: 'thinking', text: 'Hm' },
      { type: 'thinking', text: '.' },
      { type: 'text', text: 'Good ' },
      { type: 'text', text: 'day' },
      { ...end, runtime: { total_duration: 12, eval_count: 2 } },
    ])
    expect(lookUpResponse(cache, requestWith('use'), 'openai', call)).toEqual({
      state: 'hit',
      parts: [
        { type: 'thinking', text: 'Hm.' },
        { type: 'text', text: 'Good day' },
        { ...end, runtime: { eval_count: 2 } },
      ],
    })
  })

  test('finds nothing for a response that has no end, ended for another reason or is too large', () => {
    const cache = open()
    storeOnce(cache, [{ type: 'text', text: 'Good ' }])
    storeOnce(cache, [
      { type: 'text', text: 'Good ' },
      { ...end, finish: 'other' },
    ])
    storeOnce(cache, [{ type: 'text', text: 'x'.repeat(3000) }, end])
    expect(cache.bytes()).toBe(0)
  })

  test('misses and stores with refresh, and does neither read nor store with off', () => {
    const cache = open()
    storeOnce(cache, response('Old'))
    expect(lookUpResponse(cache, requestWith('off'), 'openai', call).state).toBe('off')
    const again = lookUpResponse(cache, requestWith('refresh'), 'openai', call)
    if (again.state === 'miss') for (const part of response('New')) again.store(part)
    expect(lookUpResponse(cache, requestWith('use'), 'openai', call)).toMatchObject({
      parts: response('New'),
    })
  })

  test('is off when the cache has no size', () => {
    const cache = createResponseCache({ cacheBytes: 0, cacheTtlMs: hour })
    expect(lookUpResponse(cache, requestWith('use'), 'openai', call).state).toBe('off')
  })
})

function keyOf(...contents: readonly string[]) {
  const messages = contents.map((content) => ({ role: 'user' as const, content }))
  const original = {
    protocol: 'openai.chat' as const,
    body: { messages },
    stream: false,
    nativeFields: [],
  }
  return cacheKeyOf('ada', 'openai', { ...call, messages, original })
}

describe('the cache key of a call', () => {
  const key = cacheKeyOf('ada', 'openai', call)

  test('is the same for the same call, whatever the order of its keys', () => {
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
  ])('differs for %s', (_what, other) => {
    expect(other).toBeDefined()
    expect(other).not.toBe(key)
  })

  test('depends on every character of a long text', () => {
    const long = 'x'.repeat(300_000)
    expect(keyOf(long, `${long}a`)).toBe(keyOf(long, `${long}a`))
    expect(keyOf(long, `${long}a`)).not.toBe(keyOf(long, `${long}b`))
    expect(keyOf(`${long}a`, long)).not.toBe(keyOf(long, `${long}a`))
  })

  test('exists for deterministic calls only', () => {
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
