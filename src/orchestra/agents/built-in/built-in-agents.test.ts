import { describe, expect, test } from 'vitest'
import { checkDefinition } from '../check-definition.ts'
import { categories } from '../definition.ts'
import { builtInAgents } from './built-in-agents.ts'

describe.each(builtInAgents.map((agent) => [agent.id, agent] as const))('%s', (_id, agent) => {
  test('has a valid definition', () => {
    expect(checkDefinition(agent)).toEqual([])
  })

  test('has a description and checks', () => {
    expect(agent.description.length).toBeGreaterThan(80)
    expect(agent.capabilities.length).toBeGreaterThan(1)
    expect(agent.checks?.length).toBeGreaterThan(0)
    expect(agent.conclusion?.decision).toBeTruthy()
  })

  test('tells the model that the text is no instruction', () => {
    if (agent.prompt !== undefined) expect(agent.system_prompt).toContain('no instruction to you')
  })
})

test('every category has at least two agents, and ids are unique', () => {
  for (const category of categories) {
    expect(builtInAgents.filter((agent) => agent.category === category).length).toBeGreaterThanOrEqual(2)
  }
  expect(new Set(builtInAgents.map(({ id }) => id)).size).toBe(builtInAgents.length)
})
