import { describe, expect, test } from 'vitest'
import { isForwarded, pathOf } from './runtime-paths.ts'

describe('a runtime path', () => {
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
  ])('%s is forwarded', (path) => {
    expect(isForwarded(path)).toBe(true)
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
  ])('%s is not forwarded', (path) => {
    expect(isForwarded(path)).toBe(false)
  })

  test('pathOf removes the query', () => {
    expect(pathOf('/api/chat?a=/b?c')).toBe('/api/chat')
    expect(pathOf('/api/chat')).toBe('/api/chat')
  })
})
