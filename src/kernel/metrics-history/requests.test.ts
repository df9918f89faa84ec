import { expect, test } from 'vitest'
import { kindOf } from './requests.ts'

test.each([
  [{ status: 200 }, 'answered'],
  [{ status: 422 }, 'refused'],
  [{ status: 500 }, 'failed'],
  [{ status: 500, isExpectedFailure: true }, 'refused'],
  [{ status: 502, isExpectedFailure: true }, 'provider_failed'],
  [{ status: 503 }, 'failed'],
  [{ status: 504, isExpectedFailure: true }, 'timed_out'],
  [{ status: 200, left: true }, 'left'],
])('%j counts as %s', (response, kind) => {
  expect(kindOf({ interfaceName: 'x', ms: 1, left: false, streamed: false, ...response })).toBe(kind)
})
