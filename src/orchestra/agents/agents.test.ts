import { expect, test } from 'vitest'
import { fillDefaults } from './agents.ts'
import { checkDefinition } from './check-definition.ts'

const least = {
  id: 'tone_checker',
  label: 'Tone checker',
  description: 'Says whether a text is friendly.',
  category: 'validation',
  prompt: 'Is this friendly? {{content}}',
}

test('five fields are enough for an agent', () => {
  expect(checkDefinition(fillDefaults(least))).toEqual([])
  expect(fillDefaults(least)).toMatchObject({
    capabilities: ['validation'],
    output_format: 'text',
    configuration: { timeout: 120, retry_limit: 2 },
  })
})

test('given values are kept, also in a partial configuration', () => {
  const given = { ...least, supported_languages: ['de'], configuration: { timeout: 5 } }
  expect(fillDefaults(given)).toMatchObject({
    supported_languages: ['de'],
    configuration: { timeout: 5, max_input_length: 100_000 },
  })
})

test('an agent with a schema has JSON output, and one without a prompt has no retries', () => {
  const { prompt: _, ...measuring } = least
  expect(fillDefaults({ ...least, output_schema: {} })).toMatchObject({ output_format: 'json' })
  expect(fillDefaults(measuring)).toMatchObject({ configuration: { retry_limit: 0 } })
})

test.each([null, 'agent', 7, [least]])('%j stays unchanged for the checks', (given) => {
  expect(fillDefaults(given)).toEqual(given)
})
