import { describe, expect, test } from 'vitest'
import { checkFlow } from '../../definition/check-flow.ts'
import { placedSteps } from '../../definition/nested-steps.ts'
import { checkMetadata } from '../../flows/flow-metadata.ts'
import { builtInFlows } from '../built-in-flows.ts'
import { sampleFlows } from './sample-flows.ts'

describe.each(sampleFlows.map((flow) => [flow.definition.id, flow] as const))('%s', (_id, flow) => {
  const { definition, metadata } = flow

  test('is valid, and its sample input has all it reads', () => {
    const { problems, warnings, requiredInputs } = checkFlow(definition)
    expect({ problems, warnings }).toEqual({ problems: [], warnings: [] })
    expect(checkMetadata(metadata)).toEqual([])
    expect(Object.keys(metadata.sample_input ?? {})).toEqual(expect.arrayContaining([...requiredInputs]))
  })

  test('is marked as a sample, and described for users', () => {
    expect(definition.category).toBe('sample')
    expect(metadata.sample).toBe(true)
    expect(definition.description?.length).toBeGreaterThan(50)
    expect(definition.tags?.length).toBeGreaterThan(2)
    expect(metadata.use_cases?.length).toBeGreaterThan(2)
    for (const { step } of placedSteps(definition.steps)) expect(step.label).toBeTruthy()
  })

  test('calls only addresses that are reserved for examples', () => {
    for (const { step } of placedSteps(definition.steps)) {
      if (step.type === 'external_api') expect(step.api.url).toMatch(/^https:\/\/(?:api\.)?example\.com\//)
    }
  })
})

test('no other built-in flow has the id of a sample, or is marked as one', () => {
  const ids = [...builtInFlows, ...sampleFlows].map(({ definition }) => definition.id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(builtInFlows.filter(({ metadata }) => metadata.sample === true)).toEqual([])
})
