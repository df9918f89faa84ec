import { expect, test } from 'vitest'
import { describeExcess } from './body-bounds.ts'

const nested = (depth: number) => JSON.parse(`${'{"a":['.repeat(depth)}1${']}'.repeat(depth)}`) as object

test('a body may be nested a hundred levels deep', () => {
  for (const fine of [{}, [], nested(50)]) expect(describeExcess(fine)).toBeUndefined()
  for (const deep of [nested(51), nested(50_000)]) expect(describeExcess(deep)).toContain('levels deep')
})

test('a body may have many values, but not any number', () => {
  expect(describeExcess({ context: Array.from({ length: 299_999 }, () => 1) })).toBeUndefined()
  expect(describeExcess({ a: Array.from({ length: 200_000 }), b: Array.from({ length: 200_000 }) })).toBe(
    'has more than 300000 values',
  )
})
