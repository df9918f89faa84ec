import { expect, test } from 'vitest'
import { answerPieces, cutAnswer } from './answer-pieces.ts'

const answer = 'One two. Three four.\n\n- five'

test('a whole answer is left alone', () => {
  expect(cutAnswer(answer, {})).toEqual({ text: answer, finish: 'stop', tokens: 5 })
  expect(cutAnswer(answer, { maxTokens: 5, stop: ['six'] })).toEqual({
    text: answer,
    finish: 'stop',
    tokens: 5,
  })
})

test('it ends after so many words', () => {
  expect(cutAnswer(answer, { maxTokens: 3 })).toEqual({
    text: 'One two. Three ',
    finish: 'length',
    tokens: 3,
  })
  expect(cutAnswer(answer, { maxTokens: 0 })).toEqual({ text: '', finish: 'length', tokens: 0 })
})

test('it ends before the first of its stop sequences', () => {
  expect(cutAnswer(answer, { stop: ['five', ' four', ''] })).toEqual({
    text: 'One two. Three',
    finish: 'stop',
    tokens: 3,
  })
  expect(cutAnswer(answer, { stop: ['five'], maxTokens: 2 })).toMatchObject({ finish: 'length', tokens: 2 })
})

test('it is streamed in sentences and lines, and nothing is lost', () => {
  const pieces = [...answerPieces(answer)]
  expect(pieces.length).toBeGreaterThan(2)
  expect(pieces.join('')).toBe(answer)
})
