import { afterAll, describe, expect, test } from 'vitest'
import type { ModelCall, ModelPart } from '../providers/provider.ts'
import { createSchemaChecker } from '../structured/schema-checker.ts'
import { createBuiltinProvider } from './builtin-provider.ts'

const checker = createSchemaChecker({ timeoutMs: 20_000 })
const provider = createBuiltinProvider({ checker })
afterAll(() => checker[Symbol.asyncDispose]())

const tide =
  'The tide comes twice a day. When the tide is high, the boats leave the harbour. When the tide is low, the children look for shells near the harbour. I love the smell of the tide.'

type CallOptions = Partial<Omit<ModelCall, 'messages'>>

function ask(content: string, options: CallOptions = {}, signal: AbortSignal = new AbortController().signal) {
  return provider.stream(
    { model: 'builtin:text', kind: 'chat', messages: [{ role: 'user', content }], ...options },
    signal,
  )
}

async function read(parts: AsyncIterable<ModelPart>) {
  const texts: string[] = []
  let end: ModelPart | undefined
  for await (const part of parts) {
    expect(end).toBeUndefined()
    if (part.type === 'text') texts.push(part.text)
    else end = part
  }
  return { texts, text: texts.join(''), end }
}

describe('a response', () => {
  test('introduces the built-in model and is streamed in parts', async () => {
    const { texts, text, end } = await read(ask(tide))
    expect(text).toMatch(/^_Text analysis by `builtin:text`.*no language model/)
    for (const title of [
      'Summary',
      'Key phrases',
      'Language',
      'Readability',
      'Sentiment',
      'SEO',
      'Structure',
    ]) {
      expect(text).toContain(`## ${title}\n`)
    }
    expect(texts.length).toBeGreaterThan(10)
    expect(end).toEqual({
      type: 'end',
      finish: 'stop',
      usage: { inputTokens: 36, cachedInputTokens: 0, outputTokens: expect.any(Number) },
    })
  })

  test('contains the requested parts', async () => {
    const { text } = await read(ask(`Summarise the following text in 1 sentence: ${tide}`))
    expect(text.split('\n').slice(1)).toEqual([
      '',
      '## Summary',
      '',
      '> When the tide is high, the boats leave the harbour.',
      '',
    ])
  })

  test('is deterministic, regardless of temperature and seed', async () => {
    const answers = await Promise.all([
      read(ask(tide)),
      read(ask(tide, { temperature: 1.5, seed: 7, topP: 0.2 })),
      read(ask(tide, { kind: 'generate', temperature: 0, frequencyPenalty: 0, runtime: {} })),
    ])
    expect(answers[1]).toEqual(answers[0])
    expect(answers[2]).toEqual(answers[0])
  })

  test('respects max_tokens and stop', async () => {
    expect((await read(ask(tide, { maxTokens: 5 }))).end).toMatchObject({
      finish: 'length',
      usage: { outputTokens: 5 },
    })
    const { text, end } = await read(ask(tide, { stop: ['## Key'] }))
    expect(text.trimEnd()).toMatch(/> I love the smell of the tide\.$|harbour\.$/)
    expect(end).toMatchObject({ finish: 'stop' })
  })

  test('for a text without words reports that', async () => {
    expect((await read(ask('…'))).text).toContain('There are no words in this text.')
  })
})

describe('a response in JSON', () => {
  test('is the analysis', async () => {
    const value = JSON.parse((await read(ask(tide, { format: {} }))).text)
    const parts = 'summary key_phrases language readability sentiment seo structure'.split(' ')
    expect(Object.keys(value)).toEqual(['provider', 'model', 'counts', ...parts, 'reasons'])
    expect(value).toMatchObject({
      model: 'builtin:text',
      counts: { words: 36, reading_seconds: 9 },
      reasons: {},
    })
  })

  test('has the requested parts and the reasons for missing ones', async () => {
    const value = JSON.parse(
      (await read(ask('Sentiment: Das Meer ist heute sehr ruhig und blau.', { format: {} }))).text,
    )
    expect(Object.keys(value)).toEqual(['provider', 'model', 'counts', 'sentiment', 'reasons'])
    expect(value).toMatchObject({
      sentiment: null,
      reasons: { sentiment: expect.stringContaining('German') },
    })
  })

  test('satisfies a schema when it can', async () => {
    const schema = {
      type: 'object',
      properties: {
        language: { type: 'string', minLength: 2 },
        key_phrases: { type: 'array', items: { type: 'string' } },
      },
      required: ['language', 'key_phrases'],
      additionalProperties: false,
    }
    const value = JSON.parse((await read(ask(tide, { format: { schema } }))).text)
    expect(value).toMatchObject({ language: 'en', key_phrases: expect.arrayContaining(['tide', 'harbour']) })
  })

  test.each([
    [
      'names nothing it knows',
      { type: 'object', properties: { decision: { type: 'string' } } },
      'unsupported',
    ],
    [
      'wants more',
      { type: 'object', properties: { summary: {} }, required: ['summary', 'decision'] },
      'unsupported',
    ],
    ['wants another form', { type: 'object', properties: { language: { type: 'boolean' } } }, 'unsupported'],
    ['is none', { type: 'object', properties: { language: { type: 'nonsense' } } }, 'refused'],
  ])('is refused when the schema %s', async (_name, schema, kind) => {
    await expect(read(ask(tide, { format: { schema } }))).rejects.toMatchObject({
      name: 'ProviderFailure',
      kind,
    })
  })

  test('reports that the model is not a language model when it cannot fill the schema', async () => {
    const schema = { type: 'object', properties: { decision: { type: 'string' } }, required: ['decision'] }
    await expect(read(ask(tide, { format: { schema } }))).rejects.toThrow('not a language model')
  })
})

describe('unsupported requests are refused', () => {
  test.each<[string, CallOptions, string]>([
    ['another model', { model: 'builtin:pictures' }, 'model_not_found'],
    ['a penalty', { presencePenalty: 0.5 }, 'unsupported'],
    ['a field for nodes', { runtime: { images: [] } }, 'unsupported'],
  ])('%s', async (_name, options, kind) => {
    await expect(read(ask(tide, options))).rejects.toMatchObject({ name: 'ProviderFailure', kind })
  })

  test('a text that is too long', async () => {
    await expect(read(ask('é'.repeat(600_000)))).rejects.toMatchObject({
      kind: 'refused',
      message: 'builtin:text accepts at most 1048576 bytes of text; the messages have 1200000.',
    })
  })

  test('a conversation without a user', async () => {
    const call = {
      model: 'builtin:text',
      kind: 'chat',
      messages: [{ role: 'system', content: 'Hello' }],
    } as const
    const parts = provider.stream(call, new AbortController().signal)
    await expect(read(parts)).rejects.toMatchObject({ kind: 'refused' })
  })

  test('embeddings', async () => {
    const asked = provider.embed({ model: 'builtin:text', inputs: ['x'] }, new AbortController().signal)
    await expect(asked).rejects.toMatchObject({ name: 'ProviderFailure', kind: 'unsupported' })
  })
})

test('an aborted call throws the reason of its signal', async () => {
  await expect(read(ask(tide, {}, AbortSignal.abort(new Error('gone'))))).rejects.toThrow('gone')
  const controller = new AbortController()
  const parts = ask(tide, {}, controller.signal)[Symbol.asyncIterator]()
  await parts.next()
  controller.abort(new Error('left'))
  await expect(parts.next()).rejects.toThrow('left')
})

test('the built-in provider is always online with its one model', async () => {
  expect(await provider.probe(new AbortController().signal)).toEqual({
    state: 'online',
    problem: null,
    responseMs: null,
  })
  expect(await provider.list()).toEqual([
    {
      id: 'builtin:text',
      ownedBy: 'tutti',
      created: null,
      available: true,
      loaded: true,
      nodes: [],
      size: null,
      capabilities: ['completion'],
      contextLength: 262_144,
      maxOutputTokens: null,
    },
  ])
})
