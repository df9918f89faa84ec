import { describe, expect, test } from 'vitest'
import { chatCall, embedCall, generateCall } from './routes.ts'

const model = 'gemma3:4b'

/** Removes undefined fields, which count as absent. */
const plain = (call: object) => JSON.parse(JSON.stringify(call)) as unknown

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
    })
  })

  test('keeps fields that only nodes support unchanged', () => {
    const runtime = {
      keep_alive: -1,
      think: 'high' as const,
      raw: true,
      template: '{{ .Prompt }}',
      suffix: 'return',
      context: [1, 2, 3],
      images: ['aGk='],
      truncate: false,
      shift: true,
    }
    const others = { num_ctx: 8192, top_k: 40 }
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

describe('a body of chat', () => {
  test('has its messages', () => {
    const messages = [
      { role: 'system' as const, content: 'Be brief.' },
      { role: 'user' as const, content: 'Why?' },
    ]
    expect(plain(chatCall({ model, messages }))).toEqual({ model, kind: 'chat', messages })
  })

  test('with images is for nodes only, which get the original messages', () => {
    const messages = [{ role: 'user' as const, content: 'What is it?', images: ['aGk='] }]
    expect(chatCall({ model, messages, think: false })).toMatchObject({
      messages: [{ role: 'user', content: 'What is it?' }],
      runtime: { think: false, messages },
    })
  })
})

test('a single text to embed becomes a list', () => {
  expect(embedCall({ model, input: 'a' }).inputs).toEqual(['a'])
  expect(embedCall({ model, input: ['a', 'b'], dimensions: 3 })).toEqual({
    model,
    inputs: ['a', 'b'],
    dimensions: 3,
  })
})
