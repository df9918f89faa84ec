import { expect, test } from 'vitest'
import { outputPieces, truncateOutput } from '../builtin-provider.ts'

const answer = 'One two. Three four.\n\n- five'

test('an output within its limits is unchanged', () => {
  expect(truncateOutput(answer, {})).toEqual({ text: answer, finish: 'stop', tokens: 5 })
  expect(truncateOutput(answer, { maxTokens: 5, stop: ['six'] })).toEqual({
    text: answer,
    finish: 'stop',
    tokens: 5,
  })
})

test('the output ends after max_tokens words', () => {
  expect(truncateOutput(answer, { maxTokens: 3 })).toEqual({
    text: 'One two. Three ',
    finish: 'length',
    tokens: 3,
  })
  expect(truncateOutput(answer, { maxTokens: 0 })).toEqual({ text: '', finish: 'length', tokens: 0 })
})

test('the output ends before its first stop sequence', () => {
  expect(truncateOutput(answer, { stop: ['five', ' four', ''] })).toEqual({
    text: 'One two. Three',
    finish: 'stop',
    tokens: 3,
  })
  expect(truncateOutput(answer, { stop: ['five'], maxTokens: 2 })).toMatchObject({
    finish: 'length',
    tokens: 2,
  })
})

test('the output is streamed in sentences and lines without loss', () => {
  const pieces = [...outputPieces(answer)]
  expect(pieces.length).toBeGreaterThan(2)
  expect(pieces.join('')).toBe(answer)
})
