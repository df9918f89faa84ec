import { expect, test } from 'vitest'
import { readErrorBody } from './error-body.ts'

test.each([
  [{ error: { message: 'no', type: 'a', code: 'b' } }, { said: 'no', code: 'b' }],
  [{ error: { message: 'no', type: 'a', code: 404 } }, { said: 'no', code: 'a' }],
  [
    { type: 'error', error: { type: 'not_found_error', message: 'no' } },
    { said: 'no', code: 'not_found_error' },
  ],
  [{ error: 'no' }, { said: 'no', code: undefined }],
  [
    { error: 'no', code: 'c' },
    { said: 'no', code: 'c' },
  ],
  [{ message: 'no' }, { said: 'no', code: undefined }],
  [{ error: null }, { said: undefined, code: undefined }],
  [['no'], { said: undefined, code: undefined }],
  ['no', { said: undefined, code: undefined }],
  [undefined, { said: undefined, code: undefined }],
])('%j says %j', (body, told) => {
  expect(readErrorBody(body)).toEqual(told)
})
