import { expect, test } from 'vitest'
import { readErrorBody } from './error-body.ts'

test.each([
  [{ error: { message: 'no', type: 'a', code: 'b' } }, { providerMessage: 'no', code: 'b' }],
  [{ error: { message: 'no', type: 'a', code: 404 } }, { providerMessage: 'no', code: 'a' }],
  [
    { type: 'error', error: { type: 'not_found_error', message: 'no' } },
    { providerMessage: 'no', code: 'not_found_error' },
  ],
  [{ error: 'no' }, { providerMessage: 'no', code: undefined }],
  [
    { error: 'no', code: 'c' },
    { providerMessage: 'no', code: 'c' },
  ],
  [{ message: 'no' }, { providerMessage: 'no', code: undefined }],
  [{ error: null }, { providerMessage: undefined, code: undefined }],
  [['no'], { providerMessage: undefined, code: undefined }],
  ['no', { providerMessage: undefined, code: undefined }],
  [undefined, { providerMessage: undefined, code: undefined }],
])('%j says %j', (body, told) => {
  expect(readErrorBody(body)).toEqual(told)
})
