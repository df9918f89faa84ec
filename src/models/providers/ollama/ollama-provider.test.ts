import { expect, test } from 'vitest'
import { namespaceOf } from './ollama-provider.ts'

test.each([
  ['gemma3:4b', 'library'],
  ['gemma3', 'library'],
  ['library/gemma3:4b', 'library'],
  ['nadia/tuned:latest', 'nadia'],
  ['hf.co/bartowski/gemma-3-4b-it-GGUF:Q4_K_M', 'bartowski'],
  ['registry.example:5000/team/model:1', 'team'],
  ['/odd', 'library'],
])('the namespace of %s is %s', (name, namespace) => {
  expect(namespaceOf(name)).toBe(namespace)
})
