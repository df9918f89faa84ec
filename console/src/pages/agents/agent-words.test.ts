import { expect, test } from 'vitest'
import {
  describeCost,
  describeFee,
  describeLanguages,
  describeNeed,
  describeRating,
  describeSeconds,
  describeShare,
  narrowAgents,
  ownAgentsFirst,
} from './agent-words.ts'

test.each([
  ['none', 0, 0],
  ['$0.01 per result', 0.01, 0],
  ['$0.50 per result + $2.00 per million tokens', 0.5, 0.000002],
])('the surcharge of an agent is shown as %s', (told, base_cost, per_token) => {
  expect(describeFee({ base_cost, per_token })).toBe(told)
})

test('an unknown value is a dash, never a zero', () => {
  expect([describeCost(null), describeSeconds(null), describeShare(undefined), describeRating(null)]).toEqual(
    ['–', '–', '–', '–'],
  )
  expect([describeCost(0), describeSeconds(0.25), describeShare(0.5), describeRating(4)]).toEqual([
    '$0',
    '250 ms',
    '50 %',
    '4 of 5',
  ])
})

test('shows whether a model is required, and whether one is available', () => {
  const model = { provider: 'ollama', id: 'qwen3:8b', input_cost: null, output_cost: null }
  expect(describeNeed({ works_without_model: true, model: null }).tone).toBe('good')
  expect(describeNeed({ works_without_model: false, model: null }).tone).toBe('warn')
  const builtIn = { ...model, provider: 'builtin' }
  expect(describeNeed({ works_without_model: false, model: builtIn }).tone).toBe('warn')
  expect(describeNeed({ works_without_model: false, model }).title).toBe('Uses qwen3:8b')
})

test('shows languages by their names', () => {
  expect(describeLanguages(['en', 'de'])).toBe('English, German')
  expect(describeLanguages(['*'])).toBe('any')
})

test('filters agents by name and capability, ignoring case', () => {
  const agents = [
    { id: 'a', label: 'Translator', description: '', capabilities: ['localisation'] },
    { id: 'b', label: 'Auditor', description: '', capabilities: ['audits'] },
  ]
  expect(narrowAgents(agents, 'LOCAL').map(({ id }) => id)).toEqual(['a'])
  expect(narrowAgents(agents, 'audit').map(({ id }) => id)).toEqual(['b'])
  expect(narrowAgents(agents, undefined)).toHaveLength(2)
})

test('own agents come first, built-in ones last, each group in its order', () => {
  const agents = [
    { id: 'a', built_in: true, owner_id: null },
    { id: 'b', built_in: false, owner_id: 'other' },
    { id: 'c', built_in: false, owner_id: 'me' },
    { id: 'd', built_in: false, owner_id: 'me' },
  ]
  expect(ownAgentsFirst(agents, 'me').map(({ id }) => id)).toEqual(['c', 'd', 'b', 'a'])
})
