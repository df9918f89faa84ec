import { expect, test } from 'vitest'
import { inputOf, sampleContext } from './sample-context.ts'

test('contains every path the flow reads', () => {
  expect(sampleContext(['topic', 'metadata.language', 'metadata.source', 'content'])).toEqual({
    content: expect.stringContaining('Tutti'),
    topic: 'music',
    metadata: { language: 'German', source: '' },
  })
})

test('has a number or a list where the flow expects one', () => {
  const reads = [
    { path: 'score', kind: 'number' },
    { path: 'data.rows', kind: 'list' },
    { path: 'mood', kind: 'text' },
  ] as const
  expect(sampleContext(reads)).toMatchObject({ score: 50, data: { rows: ['first', 'second'] }, mood: '' })
})

test('has a sample text for a flow that reads no path', () => {
  expect(Object.keys(sampleContext([]))).toEqual(['content'])
})

test('the sample input of the author comes first', () => {
  const input = { question: 'Why?' }
  expect(inputOf({ sample_input: input }, ['question', 'page'])).toEqual(input)
  expect(inputOf({}, ['question'])).toMatchObject({ question: '' })
  expect(inputOf({ sample_input: 'a text' }, [])).toEqual(sampleContext([]))
})
