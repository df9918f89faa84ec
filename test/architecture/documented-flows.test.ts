import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkFlow } from '../../src/engine/definition/check-flow.ts'

const guide = readFileSync('docs/guides/build-flows.md', 'utf8')

/** The flows in the guide: blocks of JSON with steps. */
const flows = [...guide.matchAll(/^```json\n([\s\S]*?)^```/gm)]
  .map(([, block = '']) => JSON.parse(block) as { id: string; steps?: unknown })
  .filter(({ steps }) => steps !== undefined)

test('the guide has flows', () => {
  expect(flows.length).toBeGreaterThan(1)
})

test.each(flows.map((flow) => [flow.id, flow] as const))('%s in the guide is a valid flow', (_id, flow) => {
  const { problems, warnings } = checkFlow(flow)
  expect({ problems, warnings }).toEqual({ problems: [], warnings: [] })
})
