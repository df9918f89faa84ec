import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { sampleFlows } from '../../src/engine/built-in/samples/sample-flows.ts'
import { checkFlow } from '../../src/engine/definition/check-flow.ts'

/** The guides with flows, and how many they have. */
const guides = [
  ['agents-with-tools.md', 2],
  ['build-flows.md', 5],
  ['human-steps.md', 3],
] as const

describe.each(guides)('the guide %s', (name, count) => {
  const guide = readFileSync(`docs/guides/${name}`, 'utf8')
  /** Blocks of JSON with steps. */
  const flows = [...guide.matchAll(/^```json(?: file: .*)?\n([\s\S]*?)^```/gm)]
    .map(([, block = '']) => JSON.parse(block) as { readonly id: string; readonly steps?: unknown })
    .filter(({ steps }) => steps !== undefined)

  test('has flows', () => {
    expect(flows).toHaveLength(count)
  })

  test.each(flows.map((flow) => [flow.id, flow] as const))('has a valid flow %s', (_id, flow) => {
    const { problems, warnings } = checkFlow(flow)
    expect({ problems, warnings }).toEqual({ problems: [], warnings: [] })
  })
})

describe('the examples of build-flows.md', () => {
  const guide = readFileSync('docs/guides/build-flows.md', 'utf8')
  const steps = [...guide.matchAll(/^```json sample\n([\s\S]*?)^```/gm)].map(
    ([, block = '']) => JSON.parse(block) as { readonly id: string },
  )

  test('show a step of every sample, as it is', () => {
    expect(steps).toHaveLength(sampleFlows.length)
    const known = sampleFlows.map(({ definition }) => definition.steps)
    for (const step of steps) expect(known).toContainEqual(expect.arrayContaining([step]))
  })
})
