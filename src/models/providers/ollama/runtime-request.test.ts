import { expect, test } from 'vitest'
import type { ModelCall } from '../provider.ts'
import { forwardedBodyOf, runtimeRequestOf } from './runtime-request.ts'

const user = { role: 'user', content: 'Why?' } as const
const system = { role: 'system', content: 'Be brief.' } as const

const bodyOf = (call: Partial<ModelCall>) =>
  runtimeRequestOf({ model: 'gemma3:4b', kind: 'chat', messages: [user], ...call }).body

test('every option of a call has its name in the runtime', () => {
  expect(
    bodyOf({
      messages: [system, user],
      maxTokens: 50,
      temperature: 0,
      topP: 0.5,
      seed: 7,
      stop: ['END'],
      frequencyPenalty: 0.1,
      presencePenalty: 0.2,
      format: { schema: { type: 'object' } },
      runtime: { keep_alive: '5m', think: true, options: { num_ctx: 8192, temperature: 1 } },
    }),
  ).toEqual({
    model: 'gemma3:4b',
    messages: [system, user],
    stream: true,
    format: { type: 'object' },
    keep_alive: '5m',
    think: true,
    options: {
      num_ctx: 8192,
      num_predict: 50,
      temperature: 0,
      top_p: 0.5,
      seed: 7,
      stop: ['END'],
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
    },
  })
})

test('a completion has a prompt, a system prompt and runtime fields', () => {
  const runtime = { raw: true, suffix: '.', images: ['aGk='], context: [1, 2], template: '{{ .Prompt }}' }
  const request = { model: 'm', kind: 'generate', messages: [system, user], format: {}, runtime } as const
  expect(runtimeRequestOf(request)).toEqual({
    operation: 'generate',
    body: { model: 'm', prompt: 'Why?', system: 'Be brief.', stream: true, format: 'json', ...runtime },
  })
  expect(bodyOf({ kind: 'generate', messages: [] })).toEqual({ model: 'gemma3:4b', prompt: '', stream: true })
})

test('runtime fields cannot override the call', () => {
  const runtime = { model: 'other:1b', stream: false, prompt: 'x' }
  expect(bodyOf({ kind: 'generate', runtime })).toMatchObject({
    model: 'gemma3:4b',
    stream: true,
    prompt: 'Why?',
  })
})

test('an original request is forwarded with the model and the token limit of the call', () => {
  const body = { model: 'alias', messages: [user], options: { num_ctx: 512, num_predict: -1 }, novelty: [1] }
  const call = { model: 'gemma3:4b', kind: 'chat', messages: [user] } as const
  expect(forwardedBodyOf(call, { body, stream: false })).toEqual({
    ...body,
    model: 'gemma3:4b',
    stream: false,
  })
  expect(forwardedBodyOf({ ...call, maxTokens: 20 }, { body, stream: true })).toMatchObject({
    stream: true,
    options: { num_ctx: 512, num_predict: 20 },
  })
})

test.each([
  [
    'a conversation to generate from',
    { kind: 'generate', messages: [user, { role: 'assistant', content: 'So.' }, user] },
  ],
  [
    'one of several tools',
    {
      tools: [
        { name: 'tune', parameters: {} },
        { name: 'play', parameters: {} },
      ],
      toolChoice: 'required',
    },
  ],
] as const)('%s is refused', (_what, call) => {
  expect(() => bodyOf(call)).toThrow(expect.objectContaining({ kind: 'unsupported' }))
})

const tune = { name: 'tune', description: 'Tunes', parameters: { type: 'object' } }
const play = { name: 'play', parameters: {} }

test.each([
  [{ tools: [tune], toolChoice: 'required' }],
  [{ tools: [play, tune], toolChoice: { name: 'tune' } }],
] as const)('the arguments of the only tool that is allowed are requested as JSON', (call) => {
  const body = bodyOf({ messages: [user], ...call })
  expect(body).toMatchObject({
    format: tune.parameters,
    messages: [{ role: 'system', content: expect.stringContaining('"tune" (Tunes)') }, user],
  })
  expect(body).not.toHaveProperty('tools')
})
