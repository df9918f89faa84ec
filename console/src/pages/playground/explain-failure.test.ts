import { describe, expect, test } from 'vitest'
import { ApiFailure } from '../../api/api-failure.ts'
import { explainFailure } from './explain-failure.ts'

function explain(failure: Partial<ConstructorParameters<typeof ApiFailure>[0]>): string {
  return explainFailure(new ApiFailure({ status: 400, code: 'x', message: 'No.', ...failure }))
}

describe('explainFailure', () => {
  test('says what helps against a budget that is used up', () => {
    expect(explain({ status: 429, code: 'insufficient_quota' })).toContain('midnight UTC')
  })

  test('offers to ask others where a provider is away', () => {
    expect(explain({ status: 502, code: 'provider_unavailable' })).toContain('fallback')
  })

  test('points to the setting that is wrong', () => {
    const problems = [{ path: 'temperature', message: 'must be at most 2' }]
    expect(explain({ code: 'invalid_value', problems })).toContain('setting')
  })

  test('has a word for what it does not know', () => {
    expect(explain({ status: 500, code: 'constructor' })).toContain('request ID')
    expect(explain({ status: 418, code: 'teapot' })).toContain('Fix the named field')
  })
})
