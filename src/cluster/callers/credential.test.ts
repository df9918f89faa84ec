import { expect, test } from 'vitest'
import { readCredential } from './credential.ts'

test.each([
  [{}, undefined],
  [{ cookie: 'SESS=abc' }, undefined],
  [{ authorization: 'Bearer sesame' }, { kind: 'bearer', value: 'sesame' }],
  [{ authorization: 'bearer   a key of words ' }, { kind: 'bearer', value: 'a key of words' }],
  [{ authorization: 'Basic bmE6cHc=' }, { kind: 'basic', value: 'bmE6cHc=' }],
  [{ authorization: 'Bearer' }, { kind: 'unknown', value: 'Bearer' }],
  [{ authorization: 'Negotiate abc' }, { kind: 'unknown', value: 'Negotiate abc' }],
  [{ authorization: '' }, { kind: 'unknown', value: '' }],
  [{ 'x-api-key': 'sesame' }, { kind: 'key', value: 'sesame' }],
  [{ 'x-api-key': ['one', 'two'] }, { kind: 'key', value: 'one' }],
  [
    { authorization: 'Bearer wrong', 'x-api-key': 'sesame' },
    { kind: 'bearer', value: 'wrong' },
  ],
])('%j has the credential %j', (headers, credential) => {
  expect(readCredential(headers)).toEqual(credential)
})
