import { expect, test } from 'vitest'
import { readAdviceOptions, requestFor } from './advice-options.ts'

test('keeps valid options', () => {
  const options = { type: 'article', length: 4000, quality: 40, cost: 0.5, prefer: 'cost', risk: 'low' }
  expect(readAdviceOptions(options)).toEqual(options)
})

test('parses typed numbers', () => {
  expect(readAdviceOptions({ length: '1200', time: ' 2.5 ' })).toEqual({ length: 1200, time: 2.5 })
})

test.each([
  [{ length: 'long' }],
  [{ length: 1.5 }],
  [{ length: '' }],
  [{ quality: 101 }],
  [{ cost: -1 }],
  [{ level: 'best' }],
  [{ prefer: 'balanced' }],
  [{ risk: 'medium' }],
])('drops the invalid options %o', (options) => {
  expect(readAdviceOptions(options)).toEqual({})
})

test('requests the chosen options, and always the reasons', () => {
  expect(requestFor({})).toEqual({
    context: {},
    requirements: {},
    preferences: { prioritize: 'balanced', risk_tolerance: 'medium', explain_recommendations: true },
  })
  expect(requestFor({ type: 'article', find: 'tea, , green tea,tea', cost: 0, level: 'high' })).toMatchObject(
    {
      context: { content_type: 'article', seo_requirements: ['tea', 'green tea'] },
      requirements: { max_cost: 0, quality_level: 'high' },
    },
  )
})
