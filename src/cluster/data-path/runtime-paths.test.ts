import { describe, expect, test } from 'vitest'
import { isPassedOn, pathOf } from './runtime-paths.ts'

describe('a path', () => {
  test.each([
    '/api/generate',
    '/api/chat',
    '/api/embed',
    '/api/embeddings',
    '/api/show',
    '/v1/chat/completions',
    '/v1/completions',
    '/v1/embeddings',
    '/v1/responses',
    '/v1/messages',
    '/v1/audio/speech',
  ])('%s is passed on', (path) => {
    expect(isPassedOn(path)).toBe(true)
  })

  test.each([
    '/api/tags',
    '/api/pull',
    '/api/delete',
    '/api/generate/',
    '/api/../api/generate',
    '/v1/models',
    '/v1/models/gemma3',
    '/v1/../api/delete',
    '/v1/%2e%2e/api/delete',
    '/v1//api',
    '/v1/',
    '/v1',
    '//v1/chat/completions',
    'http://elsewhere/v1/chat/completions',
    '/api/cluster/execute',
  ])('%s is not', (path) => {
    expect(isPassedOn(path)).toBe(false)
  })

  test('ends where the query begins', () => {
    expect(pathOf('/api/chat?a=/b?c')).toBe('/api/chat')
    expect(pathOf('/api/chat')).toBe('/api/chat')
  })
})
