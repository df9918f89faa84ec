import { expect, test } from 'vitest'
import { flowOfAgent, parametersOf, valuesOf } from './agent-parameters.ts'

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

test('reads the parameters of an agent, required ones first', () => {
  expect(parameters).toEqual([
    { name: 'target', description: 'Such as `de`.', required: true },
    { name: 'tone', description: '', required: false, default: 'plain', choices: ['plain', 'formal'] },
    { name: 'most', description: '', required: false, default: 5 },
    { name: 'strict', description: '', required: false, default: false },
  ])
  expect(parametersOf({ agent_definition: {} })).toEqual([])
})

test('converts typed values to the type of the default, and leaves out empty ones', () => {
  expect(valuesOf(parameters, { target: ' de ', tone: '', most: '7', strict: 'true' })).toEqual({
    target: 'de',
    most: 7,
    strict: true,
  })
})

test('sends an invalid number as typed, so that the server reports it', () => {
  expect(valuesOf(parameters, { most: 'many' })).toEqual({ most: 'many' })
})

const agent = { id: 'translator', label: 'Translator', revision: 2, current_revision: 2 }

test('builds a flow with one agent step on the content', () => {
  const { steps } = flowOfAgent(agent, { parameters: {}, instructions: ' ' })
  expect(steps).toEqual([
    { id: 'agent', type: 'agent', label: 'Translator', agent: 'translator', input: '{{content}}' },
  ])
})

test('adds parameters, instructions and the selected version to the step', () => {
  const options = { parameters: { target_language: 'de' }, instructions: 'Be brief.' }
  expect(flowOfAgent({ ...agent, revision: 1 }, options).steps[0]).toMatchObject({
    agent_version: 1,
    instructions: 'Be brief.',
    parameters: { target_language: 'de' },
  })
})
