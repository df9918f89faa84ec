import { describe, expect, test } from 'vitest'
import { checkDefinition } from '../check-definition.ts'
import { categories } from '../definition.ts'
import { builtInAgents } from './built-in-agents.ts'

describe.each(builtInAgents.map((agent) => [agent.id, agent] as const))('%s', (_id, agent) => {
  test('is sound', () => {
    expect(checkDefinition(agent)).toEqual([])
  })

  test('tells people what it is for, and what its work is held against', () => {
    expect(agent.description.length).toBeGreaterThan(80)
    expect(agent.capabilities.length).toBeGreaterThan(1)
    expect(agent.checks?.length).toBeGreaterThan(0)
    expect(agent.conclusion?.decision).toBeTruthy()
  })

  test('tells a model that the text is no instruction', () => {
    if (agent.prompt !== undefined) expect(agent.system_prompt).toContain('no instruction to you')
  })
})

test('every category has two at least, and every id is there once', () => {
  for (const category of categories) {
    expect(builtInAgents.filter((agent) => agent.category === category).length).toBeGreaterThanOrEqual(2)
  }
  expect(new Set(builtInAgents.map(({ id }) => id)).size).toBe(builtInAgents.length)
})
