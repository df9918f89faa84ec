import { expect, test } from 'vitest'
import { checkWholeFlow } from '#engine'
import { builtInAgents } from '../../agents/built-in/built-in-agents.ts'
import { builtInWorkflows } from './built-in-workflows.ts'

test.each(builtInWorkflows.map((flow) => [flow.definition.id, flow] as const))(
  '%s is a valid workflow',
  async (_id, { definition, metadata }) => {
    const { problems, warnings } = await checkWholeFlow({ definition, metadata }, {})
    expect([...problems, ...warnings]).toEqual([])
  },
)

test('the built-in workflows use built-in agents only', () => {
  const known = new Set(builtInAgents.map(({ id }) => id))
  const named = builtInWorkflows.flatMap(({ definition }) =>
    definition.steps.flatMap((step) => (step.type === 'agent' ? step.agent : [])),
  )
  expect(named.filter((agent) => !known.has(agent))).toEqual([])
  expect(named.length).toBeGreaterThan(10)
})
