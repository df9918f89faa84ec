import { expect, test } from 'vitest'
import { placeProblems } from './placed-problems.ts'
import { fieldsOfStep } from './schema/form-fields.ts'
import { withinStep } from './schema/path-text.ts'

const problem = (path: string) => ({ severity: 'error', path, message: 'is wrong', code: 'wrong' }) as const

test('a problem is shown at its innermost field, and separately without a field', () => {
  const step = {
    id: 'ask',
    type: 'ai_prompt',
    tags: ['x'],
    dependencies: ['missing'],
    routing_options: { 'a b': { condition: { field: '', operator: '<' } }, c: { condition: 'nonsense' } },
    post_processing: [{ operation: 'format' }],
    ai_options: 3,
  }
  const { byField, others } = placeProblems(
    [
      'prompt',
      'dependencies[0]',
      'routing_options.a b.condition.field',
      'routing_options.c.condition.field',
      'routing_options.a b',
      'post_processing[0].format',
      'ai_options.model',
      'tags',
      '',
    ].map(problem),
    fieldsOfStep('ai_prompt'),
    step,
  )
  expect([...byField.keys()]).toEqual([
    'prompt',
    'dependencies',
    'routing_options.a b.condition.field',
    'routing_options.c.condition',
    'routing_options.a b',
    'post_processing[0].format',
    'ai_options',
  ])
  expect(others.map(({ path }) => path)).toEqual(['tags', ''])
})

test('a path of the definition is converted to a path of the step form', () => {
  const document = {
    definition: {
      id: '',
      label: '',
      steps: [
        { id: 'ask', type: 'ai_prompt' },
        { id: 'each', type: 'for_each', steps: [{ id: 'inner', type: 'ai_prompt' }] },
      ],
    },
    metadata: {},
  }
  expect(withinStep(document, 'steps[0].ai_options.model')).toBe('ai_options.model')
  expect(withinStep(document, 'steps[0]')).toBe('')
  expect(withinStep(document, 'label')).toBe('label')
  expect(withinStep(document, 'steps[1].steps[0].prompt')).toBe('prompt')
  expect(withinStep(document, 'steps[1].steps')).toBe('steps')
})
