import { expect, test } from 'vitest'
import { readBasicCredentials } from './basic-credentials.ts'

const encode = (text: string) => Buffer.from(text).toString('base64')

test('the first colon parts the name from the password', () => {
  expect(readBasicCredentials(encode('ada:a:b'))).toEqual({ username: 'ada', password: 'a:b' })
  expect(readBasicCredentials(encode('ada:'))).toEqual({ username: 'ada', password: '' })
  expect(readBasicCredentials(encode('Ådä:pässwörd'))).toEqual({ username: 'Ådä', password: 'pässwörd' })
})

test.each(['', '***', encode('ada'), encode(':password'), 'YWRhOng= x'])('%j is none', (encoded) => {
  expect(readBasicCredentials(encoded)).toBeUndefined()
})
