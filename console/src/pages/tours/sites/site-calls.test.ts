import { expect, test } from 'vitest'
import { readEnvironments, writeEnvironments } from './site-calls.ts'

test('environments are read from lines and written as lines', () => {
  const text =
    'production https://shop.example\n\n  new staging   http://localhost:8080 \nhttps://other.example'
  const environments = [
    { name: 'production', origin: 'https://shop.example' },
    { name: 'new staging', origin: 'http://localhost:8080' },
    { name: 'https://other.example', origin: 'https://other.example' },
  ]
  expect(readEnvironments(text)).toEqual(environments)
  expect(readEnvironments(writeEnvironments(environments))).toEqual(environments)
})
