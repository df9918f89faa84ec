import { expect, test } from 'vitest'
import { explainRefusal } from './explain-refusal.ts'

test('a refusal says what was wrong, where, and what to do', () => {
  const body = {
    error: {
      code: 'VALIDATION_FAILED',
      message: 'The request is not valid.',
      details: { problems: [{ path: 'context.content', message: 'is required' }] },
      recovery_options: [],
    },
  }
  expect(explainRefusal(400, body, undefined).split('\n')).toEqual([
    'VALIDATION_FAILED: The request is not valid.',
    '- context.content is required',
    'Mend the arguments and call again; get_flow shows what a flow needs.',
  ])
})

test('it names what may have been meant, and when to come again', () => {
  const unknown = { error: { code: 'FLOW_NOT_FOUND', message: 'No.', details: { suggestions: ['a', 'b'] } } }
  expect(explainRefusal(404, unknown, undefined)).toContain('Did you mean a or b?')
  const limited = { error: { code: 'rate_limited', message: 'Too many requests.' } }
  expect(explainRefusal(429, limited, 12)).toBe('RATE_LIMITED: Too many requests.\nTry again in 12 s.')
})

test('an answer without a body is told by its status', () => {
  expect(explainRefusal(502, undefined, undefined)).toBe('STATUS_502: The platform answered with status 502.')
})
