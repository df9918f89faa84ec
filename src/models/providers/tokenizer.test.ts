import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { estimateInputTokens } from './count-call-tokens.ts'
import { createTokenizer, type TokenizerOptions } from './tokenizer.ts'

const warnings: unknown[] = []
const log: TokenizerOptions['log'] = { warn: (...args: unknown[]) => void warnings.push(args) }
const shared = createTokenizer({ log })
afterAll(() => shared[Symbol.asyncDispose]())
const tokenizer = shared.of('ada')

test.each([
  ['', 0],
  ['Hello, world!', 4],
  ['The sky is blue because of how light scatters.', 11],
  ['<|endoftext|>', 7],
])('%j has %i tokens', async (text, tokens) => {
  expect(await tokenizer.estimate(text)).toBe(tokens)
})

test('a long text is counted in pieces, and the rest as its start', async () => {
  const sentence = 'The sky is blue because of how light scatters. '
  const counted = await tokenizer.estimate(sentence.repeat(4000))
  expect(counted / 4000).toBeCloseTo(11, 0)
  const extrapolated = await tokenizer.estimate(sentence.repeat(40_000))
  expect(extrapolated / counted).toBeCloseTo(10, 1)
})

test.each([
  ['a run of letters', 'a'.repeat(300_000)],
  ['a run of emoji', '👩‍👩‍👧‍👦'.repeat(30_000)],
  ['a run of line breaks', '\n'.repeat(300_000)],
])('%s is counted', async (_what, text) => {
  expect(await tokenizer.estimate(text)).toBeGreaterThan(0)
  expect(warnings).toEqual([])
})

test('token arrays become texts, and arrays with other numbers do not', async () => {
  const arrays = [[9906, 11, 1917, 0], [8595, 30], [4_000_000_000]]
  expect(await tokenizer.decode(arrays)).toEqual(['Hello, world!', ' Why?', undefined])
})

test('the event loop turns while the vocabularies load', async () => {
  await using fresh = createTokenizer({ log })
  const [ofProcess, ofThread] = [process.cpuUsage(), process.threadCpuUsage()]
  const loaded = new AbortController()
  let maxTurn = 0
  const turning = (async () => {
    while (!loaded.signal.aborted) {
      const before = process.threadCpuUsage()
      await nextTurn()
      maxTurn = Math.max(maxTurn, process.threadCpuUsage(before).user)
    }
  })()
  const results = await Promise.all([
    fresh.of('ada').estimate('Hello, world!'),
    fresh.of('ada').decode([[9906]]),
  ])
  loaded.abort()
  await turning
  expect(results).toEqual([4, ['Hello']])
  // In the main thread, loading would be one turn, and other threads would do nothing. Processor time does not grow on a busy machine.
  const ofOthers = process.cpuUsage(ofProcess).user - process.threadCpuUsage(ofThread).user
  expect(maxTurn).toBeLessThan(ofOthers / 2)
})

describe('when the thread cannot respond', () => {
  const absent = new URL('file:///absent/thread.ts')
  const broken = new URL('data:text/javascript,setTimeout(() => { throw new Error("broken") })')
  test.each([
    ['it is missing', absent],
    ['it fails', broken],
  ])('because %s, estimates are a quarter of the bytes and decoding is refused', async (_why, module) => {
    const lines: unknown[] = []
    await using failing = createTokenizer({
      log: { warn: (...args: unknown[]) => void lines.push(args) },
      module,
    })
    expect(await failing.of('ada').estimate('Hello, world! ü')).toBe(4)
    await expect(failing.of('ada').decode([[9906]])).rejects.toMatchObject({
      code: 'overloaded',
      status: 503,
      message: expect.stringContaining('cannot decode token arrays'),
    })
    expect(lines).toHaveLength(2)
  })

  test('because its queue is full, estimates are a quarter of the bytes', async () => {
    await using small = createTokenizer({ log, maxWaiting: 1 })
    const text = 'a '.repeat(200)
    const [first, second] = await Promise.all([
      small.of('ada').estimate(text),
      small.of('ada').estimate(text),
    ])
    expect(second).toBe(100)
    expect(first).toBeGreaterThan(190)
    const [, decoded] = await Promise.allSettled([
      small.of('ada').estimate(text),
      small.of('ada').decode([[9906]]),
    ])
    expect(decoded).toMatchObject({ reason: { code: 'overloaded' } })
  })

  test('because an account has too many requests, other accounts are not affected', async () => {
    await using busy = createTokenizer({ log, maxPerAccount: 2 })
    const text = 'a '.repeat(200)
    const [ada, grace] = [busy.of('ada'), busy.of('grace')]
    const counts = await Promise.all([ada, ada, ada, grace].map((counter) => counter.estimate(text)))
    expect(counts[2]).toBe(100)
    for (const index of [0, 1, 3]) expect(counts[index]).toBeGreaterThan(190)
    expect(await ada.estimate(text)).toBeGreaterThan(190)
  })

  test('because it is closed, estimates are a quarter of the bytes', async () => {
    const closed = createTokenizer({ log })
    const running = closed.of('ada').estimate('Hello, world!')
    await closed[Symbol.asyncDispose]()
    expect(await running).toBe(4)
    expect(await closed.of('ada').estimate('Hello, world!!')).toBe(4)
    await expect(closed.of('ada').decode([[9906]])).rejects.toMatchObject({ code: 'shutting_down' })
  })
})

test('messages, tools and media of a call count', async () => {
  const user = { role: 'user', content: 'Hello, world!' } as const
  const text = await estimateInputTokens(tokenizer, { messages: [user] })
  expect(text).toBe(8)
  const image = { type: 'image', url: 'data:image/png;base64,aGk=' } as const
  const withImage = await estimateInputTokens(tokenizer, {
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello, world!' }, image] }],
  })
  expect(withImage - text).toBe(1600)
  const tools = [{ name: 'weather', parameters: { type: 'object', properties: {} } }]
  expect(await estimateInputTokens(tokenizer, { messages: [user], tools })).toBeGreaterThan(text + 12)
  const call = { id: 'c', name: 'weather', arguments: '{"city":"Oslo"}' }
  const turns = [user, { role: 'assistant', content: '', toolCalls: [call] }] as const
  expect(await estimateInputTokens(tokenizer, { messages: turns })).toBeGreaterThan(text + 4)
})
