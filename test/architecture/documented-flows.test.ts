import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { checkFlow } from '../../src/engine/definition/check-flow.ts'

/** The guides with flows, and how many they have. */
const guides = [
  ['build-flows.md', 2],
  ['human-steps.md', 3],
] as const

describe.each(guides)('the guide %s', (name, count) => {
  const guide = readFileSync(`docs/guides/${name}`, 'utf8')
  /** Blocks of JSON with steps. */
  const flows = [...guide.matchAll(/^```json\n([\s\S]*?)^```/gm)]
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
