import { describe, expect, test } from 'vitest'
import { checkFlow } from '../definition/check-flow.ts'
import { checkMetadata } from '../flows/flow-metadata.ts'
import { builtInFlows } from './built-in-flows.ts'

describe.each(builtInFlows.map((flow) => [flow.definition.id, flow] as const))('%s', (_id, flow) => {
  const { definition, metadata } = flow

  test('is valid, and requires only a text', () => {
    expect(checkFlow(definition)).toMatchObject({ problems: [], warnings: [], requiredInputs: [] })
    expect(checkMetadata(metadata)).toEqual([])
  })

  test('has a description for users', () => {
    expect(definition.description?.length).toBeGreaterThan(50)
    expect(definition.tags?.length).toBeGreaterThan(2)
    expect(metadata.use_cases?.length).toBeGreaterThan(2)
    for (const step of definition.steps) expect(step.label).toBeTruthy()
  })

  test('calls no external API', () => {
    expect(definition.steps.filter(({ type }) => type === 'external_api')).toEqual([])
  })
})

test('every id is unique', () => {
  const ids = builtInFlows.map(({ definition }) => definition.id)
  expect(new Set(ids).size).toBe(6)
})
