import { expect, test } from 'vitest'
import { fieldAt } from './field-at.ts'
import { fieldsOfStep, stepTypes } from './form-fields.ts'
import { fieldsThatApply, layOutStep, type PlacedField } from './step-layout.ts'

const pathsOf = (fields: readonly PlacedField[]) => fields.map(({ path }) => path.join('.'))

test('a prompt begins with its model; options of the model are folded without it', () => {
  const { main, advanced } = layOutStep(fieldsOfStep('ai_prompt'), { type: 'ai_prompt' })
  expect(pathsOf(main)).toEqual([
    'ai_options.model',
    'prompt',
    'ai_options.system_prompt',
    'agent_routing',
    'output_to_memory',
    'dependencies',
  ])
  expect(pathsOf(advanced)).toEqual(expect.arrayContaining(['ai_options', 'retry_config', 'on_error']))
  const options = advanced.find(({ field }) => field.name === 'ai_options')?.field.shape
  const names = options?.kind === 'group' ? options.fields.map(({ name }) => name) : []
  expect(names).toContain('temperature')
  expect(names).not.toContain('model')
})

test.each([[{ agent_routing: true }], [{ routing_prompt: 'x', routing_options: {} }]])(
  'routing fields are shown with %j',
  (step) => {
    const { main } = layOutStep(fieldsOfStep('ai_prompt'), { type: 'ai_prompt', ...step })
    expect(pathsOf(main)).toEqual(expect.arrayContaining(['routing_prompt', 'routing_options']))
  },
)

test.each(stepTypes.filter((type) => type !== 'ai_prompt'))('every field of %s has one place', (type) => {
  const fields = fieldsOfStep(type)
  const { main, advanced } = layOutStep(fields, { type })
  const placed = [...main, ...advanced].map(({ path }) => path[0])
  expect(new Set([...placed, 'label'])).toEqual(
    new Set(fields.map(({ name }) => name).filter((name) => name !== 'steps')),
  )
  expect(new Set(pathsOf([...main, ...advanced])).size).toBe(main.length + advanced.length)
})

test('a transformation has the fields of its operation, and others with a value', () => {
  const shape = fieldAt(fieldsOfStep('data_transform'), ['transformations', 0])?.shape
  const fields = shape?.kind === 'group' ? shape.fields : []
  const shown = (value: Parameters<typeof fieldsThatApply>[1]) =>
    fieldsThatApply(fields, value).map(({ name }) => name)
  expect(shown({ operation: 'filter' })).toEqual(['operation', 'source', 'where'])
  expect(shown({ operation: 'filter', template: 'x' })).toEqual(['operation', 'template', 'source', 'where'])
  expect(shown({ operation: 'later' })).toHaveLength(fields.length)
})
