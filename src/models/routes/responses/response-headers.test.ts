import { expect, test } from 'vitest'
import { responseHeaders } from './response-headers.ts'

const answered = { callId: 'c1', provider: 'ollama', attempts: 2, cache: 'miss' } as const

test('the headers describe how the call was handled', () => {
  expect(responseHeaders({ ...answered, model: 'hf.co/team/tuned:1' })).toEqual({
    'cache-control': 'no-store',
    'x-model-provider': 'ollama',
    'x-model-used': 'hf.co/team/tuned:1',
    'x-model-attempts': '2',
    'x-cache': 'miss',
    'x-call-id': 'c1',
  })
})

test('a call to a route names it with its version', () => {
  const route = { name: 'quick', version: 3 }
  expect(responseHeaders({ ...answered, model: 'tuned', route })['x-model-route']).toBe('quick@3')
})

test.each([
  ['größe:1', 'gr%C3%B6%C3%9Fe:1'],
  ['a\r\nset-cookie: b', 'a%0D%0Aset-cookie: b'],
  ['half\ud800', 'half%EF%BF%BD'],
  ['🎻', '%F0%9F%8E%BB'],
  ['100%', '100%25'],
])('a model named %j does not break its header', (model, written) => {
  expect(responseHeaders({ ...answered, model })['x-model-used']).toBe(written)
})
