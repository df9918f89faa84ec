import { expect, test } from 'vitest'
import { runsAlike } from './use-try-run.ts'

const step = { id: 'ask', type: 'ai_prompt', prompt: 'Hello' }
const draft = { id: '', label: '', steps: [step] }

test('a renamed draft runs as before, one with another prompt does not', () => {
  expect(runsAlike(draft, { ...draft, id: 'greeting', label: 'Greeting' })).toBe(true)
  expect(runsAlike(draft, { ...draft, steps: [{ ...step, prompt: 'Bye' }] })).toBe(false)
})
