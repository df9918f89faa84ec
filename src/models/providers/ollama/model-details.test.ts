import { expect, test } from 'vitest'
import { createModelDetails } from './model-details.ts'

const gemma = {
  capabilities: ['completion', 'vision'],
  model_info: {
    'general.architecture': 'gemma3',
    'gemma3.context_length': 131_072,
    'gemma3.block_count': 34,
  },
}

function bookOf(describe: (name: string) => Promise<unknown>) {
  const asked: string[] = []
  const state = { now: 0 }
  const book = createModelDetails({
    describe: async (name) => {
      asked.push(name)
      return await describe(name)
    },
    maxWaitMs: 60_000,
    now: () => state.now,
  })
  return { book, asked, state }
}

const model = (name: string, version = '1') => ({ name, version, available: true })

test('a model is described once, until it is replaced', async () => {
  const { book, asked } = bookOf(async () => gemma)
  const expected = { capabilities: ['completion', 'vision'], contextLength: 131_072 }
  const [first] = await Promise.all([book.of([model('a')]), book.of([model('a')])])
  expect(first.get('a')).toEqual(expected)
  await book.of([model('a')])
  expect(asked).toEqual(['a'])
  await book.of([model('a', '2')])
  expect(asked).toEqual(['a', 'a'])
})

test('the number of concurrent requests is limited, and all models are described', async () => {
  let [now, most] = [0, 0]
  const { book } = bookOf(async () => {
    now += 1
    most = Math.max(most, now)
    await new Promise((resolve) => setImmediate(resolve))
    now -= 1
    return gemma
  })
  const models = Array.from({ length: 20 }, (_unused, index) => model(`m${index}`))
  expect((await book.of(models)).size).toBe(20)
  expect(most).toBe(4)
})

test('an unavailable model is not requested, and its known details stay', async () => {
  const { book, asked } = bookOf(async () => gemma)
  const away = { ...model('a'), available: false }
  expect((await book.of([away])).get('a')).toBeUndefined()
  expect(asked).toEqual([])
  await book.of([model('a')])
  expect((await book.of([away])).get('a')).toMatchObject({ contextLength: 131_072 })
})

test('waiting for descriptions is bounded', async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const book = createModelDetails({ describe: () => promise, maxWaitMs: 5 })
  expect((await book.of([model('a')])).get('a')).toBeUndefined()
  resolve(gemma)
  await promise
  expect((await book.of([model('a')])).get('a')).toMatchObject({ contextLength: 131_072 })
})

test('a failed description is requested again after a minute', async () => {
  let fails = true
  const { book, asked, state } = bookOf(async () => {
    if (fails) throw new Error('no')
    return gemma
  })
  expect((await book.of([model('a')])).get('a')).toEqual({ capabilities: null, contextLength: null })
  fails = false
  state.now = 59_999
  await book.of([model('a')])
  expect(asked).toHaveLength(1)
  state.now = 60_000
  expect((await book.of([model('a')])).get('a')).toMatchObject({ contextLength: 131_072 })
})

test.each([
  [{}, { capabilities: null, contextLength: null }],
  [{ capabilities: ['\u001b[2J'] }, { capabilities: null, contextLength: null }],
  [
    { model_info: { 'general.architecture': 'a', 'a.context_length': -1 } },
    { capabilities: null, contextLength: null },
  ],
  [{ model_info: { 'b.context_length': 5 } }, { capabilities: null, contextLength: null }],
  ['no', { capabilities: null, contextLength: null }],
])('%j has the details %j', async (answer, details) => {
  const { book } = bookOf(async () => answer)
  expect((await book.of([model('a')])).get('a')).toEqual(details)
})
