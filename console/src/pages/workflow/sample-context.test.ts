import { expect, test } from 'vitest'
import { sampleContext } from './sample-context.ts'

test('contains every path the flow reads', () => {
  expect(sampleContext(['topic', 'metadata.language', 'metadata.source', 'content'])).toEqual({
    content: expect.stringContaining('Tutti'),
    topic: '',
    metadata: { language: '', source: '' },
  })
})

test('has a sample text for a flow that reads no path', () => {
  expect(Object.keys(sampleContext([]))).toEqual(['content'])
})
