import { describe, expect, test } from 'vitest'
import { createDigest, createMemory } from './ttl-cache.ts'

describe('the TTL cache of callers', () => {
  test('drops an entry after its time to live', () => {
    let nowMs = 0
    const memory = createMemory<string>({ keepMs: 100, capacity: 10, now: () => nowMs })
    memory.keep('a', 'ada')
    nowMs = 99
    expect(memory.recall('a')).toBe('ada')
    nowMs = 100
    expect(memory.recall('a')).toBeUndefined()
    nowMs = 50
    expect(memory.recall('a')).toBeUndefined()
  })

  test('removes the oldest entry when it is full', () => {
    const memory = createMemory<string>({ keepMs: 100, capacity: 2, now: () => 0 })
    memory.keep('a', 'ada')
    memory.keep('b', 'bob')
    memory.keep('a', 'ada again')
    memory.keep('c', 'cyd')
    expect(['a', 'b', 'c'].map((name) => memory.recall(name))).toEqual(['ada again', undefined, 'cyd'])
  })
})

describe('the digest of a credential', () => {
  test('does not contain the credential and differs between processes', () => {
    const digest = createDigest()
    const key = { kind: 'bearer', value: 'sesame' } as const
    expect(digest(key)).toBe(digest({ ...key }))
    expect(digest(key)).not.toContain('sesame')
    expect(digest(key)).not.toBe(digest({ ...key, kind: 'key' }))
    expect(digest(key)).not.toBe(createDigest()(key))
  })
})
