import { expect, test } from 'vitest'
import { parametersOf, valuesOf } from './agent-parameters.ts'

const parameters = parametersOf({
  agent_definition: {
    parameters: {
      tone: { default: 'plain', choices: ['plain', 'formal'] },
      target: { description: 'Such as `de`.', required: true },
      most: { default: 5 },
      strict: { default: false },
    },
  },
})

test('reads what an agent can be told, what it must be told first', () => {
  expect(parameters).toEqual([
    { name: 'target', description: 'Such as `de`.', required: true },
    { name: 'tone', description: '', required: false, default: 'plain', choices: ['plain', 'formal'] },
    { name: 'most', description: '', required: false, default: 5 },
    { name: 'strict', description: '', required: false, default: false },
  ])
  expect(parametersOf({ agent_definition: {} })).toEqual([])
})

test('what is typed becomes what its default is, and what is empty is left out', () => {
  expect(valuesOf(parameters, { target: ' de ', tone: '', most: '7', strict: 'true' })).toEqual({
    target: 'de',
    most: 7,
    strict: true,
  })
})

test('what is no number goes as it is, for the platform to say so', () => {
  expect(valuesOf(parameters, { most: 'many' })).toEqual({ most: 'many' })
})
