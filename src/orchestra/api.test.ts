import { expect, test } from 'vitest'
import { perCaller } from '#kernel/http'
import { defineOrchestraApi } from './api.ts'

const rule = { limit: 1, windowSeconds: 3600 }
const ratePolicy = perCaller({ name: 'test', signedIn: rule, anonymous: rule })
const view = {
  code: 'WORKFLOW_NOT_FOUND',
  status: 404,
  message: 'There is no workflow "x".',
  details: { workflow_id: 'x' },
  problems: [],
  retryAfterSeconds: undefined,
  requestId: 'a-1',
  origin: 'http://asked.example',
  at: new Date('2026-11-15T12:00:00.900Z'),
}

test('an error has a message, a time, a request id and a documentation link', () => {
  const { errorBody } = defineOrchestraApi('https://tutti.example/', ratePolicy)
  expect(errorBody(view)).toEqual({
    error: {
      code: 'WORKFLOW_NOT_FOUND',
      message: 'There is no workflow "x".',
      details: { workflow_id: 'x' },
      timestamp: 1_794_744_000,
      request_id: 'a-1',
      documentation: 'https://tutti.example/docs#orchestra',
    },
  })
})

test('problems are part of the details, and codes of other modules are in upper case', () => {
  const { errorBody } = defineOrchestraApi(undefined, ratePolicy)
  const problem = { path: 'options.timeout', message: 'must be at least 1', code: 'minimum' }
  expect(
    errorBody({ ...view, code: 'execution_not_running', details: {}, problems: [problem] }),
  ).toMatchObject({
    error: {
      code: 'EXECUTION_NOT_RUNNING',
      details: { problems: [problem] },
      documentation: 'http://asked.example/docs#orchestra',
    },
  })
})
