import { expect, test } from 'vitest'
import { sampleContext } from './sample-context.ts'

test('has everything that is asked for, in its place', () => {
  expect(sampleContext(['topic', 'metadata.language', 'metadata.source', 'content'])).toEqual({
    content: expect.stringContaining('Tutti'),
    topic: '',
    metadata: { language: '', source: '' },
  })
})

test('a flow that asks for nothing gets a text', () => {
  expect(Object.keys(sampleContext([]))).toEqual(['content'])
})
