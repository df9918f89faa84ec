import { expect, test } from 'vitest'
import { prefixOf } from './prompt-prefix.ts'

const model = 'gemma3:4b'
const system = { role: 'system', content: 'You are a poet.' }
const user = { role: 'user', content: 'Write about the sea.' }

test('the same start has the same prefix, in every protocol that has it', () => {
  const prefixes = [
    prefixOf('/api/chat', model, { messages: [system, user] }),
    prefixOf('/api/chat', model, {
      messages: [system, user, { role: 'assistant', content: 'Waves' }, { role: 'user', content: 'More' }],
    }),
    prefixOf('/v1/chat/completions', model, {
      messages: [
        { ...system, role: 'developer' },
        { role: 'user', content: [{ type: 'text', text: user.content }] },
      ],
    }),
    prefixOf('/v1/messages', model, { system: [{ type: 'text', text: system.content }], messages: [user] }),
    prefixOf('/v1/responses', model, { instructions: system.content, input: user.content }),
    prefixOf('/v1/responses', model, { instructions: system.content, input: [user] }),
    prefixOf('/api/generate', model, { system: system.content, prompt: user.content }),
  ]
  expect(new Set(prefixes).size).toBe(1)
  expect(prefixes[0]).toMatch(/^[\w-]{43}$/)
})

test('another model, system prompt or first message has another prefix', () => {
  const all = [
    prefixOf('/api/chat', model, { messages: [system, user] }),
    prefixOf('/api/chat', 'qwen3:8b', { messages: [system, user] }),
    prefixOf('/api/chat', model, { messages: [user] }),
    prefixOf('/api/chat', model, { messages: [system, { ...user, content: 'Write about the sky.' }] }),
  ]
  expect(new Set(all).size).toBe(all.length)
})

const ofCompletion = (content: string) => prefixOf('/v1/completions', model, { prompt: content })

test('only the start counts', () => {
  const long = 'x'.repeat(512)
  expect(ofCompletion(`${long}a`)).toBe(ofCompletion(`${long}b`))
  expect(ofCompletion('a')).not.toBe(ofCompletion('b'))
})

test.each<[string, object]>([
  ['/v1/embeddings', { input: 'text' }],
  ['/api/embed', { input: ['text'] }],
  ['/api/chat', { messages: [] }],
  ['/api/chat', { messages: [null, 5, { role: 'user' }] }],
  ['/api/generate', {}],
])('%s %j has none', (path, body) => {
  expect(prefixOf(path, model, { ...body })).toBeUndefined()
})
