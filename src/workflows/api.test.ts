import { expect, test } from 'vitest'
import { identityFailureTable } from '#identity'
import { kernelFailureTable } from '#kernel/errors'
import { createValueCheck } from '#kernel/http'
import { defineWorkflowsApi } from './api.ts'

const { errorCodes, errorBody, errorSchema } = defineWorkflowsApi(undefined)

const view = {
  code: 'flow_not_found',
  status: 404,
  message: 'There is no such flow.',
  details: { suggestions: ['review'] },
  problems: [],
  retryAfterSeconds: undefined,
  requestId: 'a-1',
  origin: 'http://asked.example',
  at: new Date('2026-11-15T12:00:00.700Z'),
}

test('every failure of the kernel and of identity has a code in upper case', () => {
  for (const code of [...Object.keys(kernelFailureTable), ...Object.keys(identityFailureTable)]) {
    expect(errorCodes[code], code).toMatch(/^[A-Z_]+$/)
  }
})

test('an error has every field, and codes of other modules are in upper case', () => {
  const body = errorBody(view)
  expect(body).toEqual({
    error: {
      code: 'FLOW_NOT_FOUND',
      message: 'There is no such flow.',
      details: { suggestions: ['review'] },
      recovery_options: [],
      timestamp: 1_794_744_000,
      request_id: 'a-1',
      support_reference: 'request:a-1',
      documentation_url: 'http://asked.example/docs#workflows',
    },
  })
  expect(createValueCheck(errorSchema)(body)).toEqual([])
})

test('recovery options are next to the details, and problems are inside them', () => {
  const option = { action: 'restart_from_checkpoint' }
  const problem = { path: 'flow_id', message: 'is required', code: 'required' }
  const body = errorBody({ ...view, details: { recovery_options: [option] }, problems: [problem] })
  expect(body).toMatchObject({ error: { recovery_options: [option], details: { problems: [problem] } } })
})

test('the documentation URL is absolute when the server URL is known', () => {
  const { errorBody: tell } = defineWorkflowsApi('https://tutti.example/')
  expect(tell(view)).toMatchObject({ error: { documentation_url: 'https://tutti.example/docs#workflows' } })
})
