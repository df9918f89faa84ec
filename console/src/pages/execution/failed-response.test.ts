import { expect, test } from 'vitest'
import { readResponse } from './failed-response.ts'

test('the response of a failed request is told from other details of the error', () => {
  const { response, others } = readResponse({
    status: 500,
    headers: { 'content-type': 'text/plain', age: 3 },
    body: 'closed',
    reason: 'maintenance',
  })
  expect(response).toEqual({
    status: 500,
    headers: [
      ['content-type', 'text/plain'],
      ['age', '3'],
    ],
    body: 'closed',
  })
  expect(others).toEqual({ reason: 'maintenance' })
})

test('an error without a response has none', () => {
  expect(readResponse({ status: 'gone', headers: null }).response).toEqual({
    status: undefined,
    headers: [],
    body: undefined,
  })
  expect(readResponse()).toMatchObject({ others: {} })
})
