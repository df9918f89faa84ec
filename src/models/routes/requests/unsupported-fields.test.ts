import { expect, test } from 'vitest'
import { findSizeProblem } from './unsupported-fields.ts'

const nested = (depth: number) => JSON.parse(`${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`) as object

test('a body may be nested a hundred levels deep', () => {
  for (const fine of [{}, [], nested(50)]) expect(findSizeProblem(fine)).toBeUndefined()
  for (const deep of [nested(51), nested(50_000)]) expect(findSizeProblem(deep)).toContain('levels deep')
})

test('the number of values in a body is limited', () => {
  expect(findSizeProblem({ context: Array.from({ length: 299_999 }, () => 1) })).toBeUndefined()
  expect(findSizeProblem({ a: Array.from({ length: 200_000 }), b: Array.from({ length: 200_000 }) })).toBe(
    'has more than 300000 values',
  )
})
