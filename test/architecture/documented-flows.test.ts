import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkFlow } from '../../src/engine/definition/check-flow.ts'

const guide = readFileSync('docs/guides/human-steps.md', 'utf8')

const blocks = [...guide.matchAll(/^```json\n([\s\S]*?)^```/gm)].map(
  ([, block = '']) => JSON.parse(block) as Readonly<Record<string, unknown>>,
)
const flows = blocks.filter((block) => 'steps' in block)

test('the guide about waiting has a flow for each kind of wait', () => {
  expect(flows.map(({ id }) => id)).toEqual(['reminder', 'ship-when-paid', 'publish-after-review'])
})

test.each(flows.map((flow) => [flow['id'], flow]))('the flow %s of the guide can be saved', (_, flow) => {
  expect(checkFlow(flow)).toMatchObject({ problems: [], definition: { id: flow['id'] } })
})
