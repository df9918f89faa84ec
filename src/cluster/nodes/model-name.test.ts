import { expect, test } from 'vitest'
import { canonicalModelName } from './model-name.ts'

test.each([
  ['gemma3:4b', 'gemma3:4b'],
  ['gemma3', 'gemma3:latest'],
  ['gemma3:latest', 'gemma3:latest'],
  ['Nadia/Tuned', 'nadia/tuned:latest'],
  ['registry:5000/nadia/tuned', 'registry:5000/nadia/tuned:latest'],
  ['registry:5000/nadia/tuned:2', 'registry:5000/nadia/tuned:2'],
])('%s is %s', (given, canonical) => {
  expect(canonicalModelName(given)).toBe(canonical)
})
