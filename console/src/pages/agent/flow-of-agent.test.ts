import { expect, test } from 'vitest'
import { flowOfAgent } from './flow-of-agent.ts'

const agent = { id: 'translator', label: 'Translator', revision: 2, current_revision: 2 }

test('one step, in which the agent works on what it is given', () => {
  const { steps } = flowOfAgent(agent, { parameters: {}, instructions: ' ' })
  expect(steps).toEqual([
    { id: 'agent', type: 'agent', label: 'Translator', agent: 'translator', input: '{{content}}' },
  ])
})

test('with what it was told besides, and in the version that is looked at', () => {
  const options = { parameters: { target_language: 'de' }, instructions: 'Be brief.' }
  expect(flowOfAgent({ ...agent, revision: 1 }, options).steps[0]).toMatchObject({
    agent_version: 1,
    instructions: 'Be brief.',
    parameters: { target_language: 'de' },
  })
})
