import { expect, test } from 'vitest'
import { missingIn, withNeeded } from './needed-input.ts'

test('what the flow needs and the input lacks is told and put in, and what is there stays', () => {
  const input = { content: 'Mine.', metadata: { language: 'de' }, empty: null }
  const needed = ['content', 'metadata.language', 'metadata.source', 'context.tone', 'empty']
  expect(missingIn(input, needed)).toEqual(['metadata.source', 'context.tone'])
  expect(withNeeded(input, needed)).toEqual({
    content: 'Mine.',
    metadata: { language: 'de', source: '' },
    empty: null,
    tone: '',
  })
})

test('a text to work on comes only where one is needed', () => {
  expect(withNeeded({}, ['topic'])).toEqual({ topic: '' })
  expect(Object.keys(withNeeded({}, ['content']))).toEqual(['content'])
})
