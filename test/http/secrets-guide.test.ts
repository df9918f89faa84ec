import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'

const guide = readFileSync(new URL('../../docs/guides/secrets.md', import.meta.url), 'utf8')

let server: WorkflowsServer
beforeAll(async () => {
  server = await startWorkflowsServer()
})
afterAll(() => server?.[Symbol.asyncDispose]())

const jsonBlocks = [...guide.matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, block = '']) =>
  JSON.parse(block),
)

test('the steps of the guide are valid and name what the guide has stored', async () => {
  const { body: stored } = await server.post(
    '/secrets',
    { name: 'github', value: 'ghp_0123456789', allowed_hosts: ['api.github.com'] },
    { as: 'mara' },
  )
  await server.post(
    '/connections',
    {
      name: 'shop',
      kind: 'bearer',
      credentials: { token: 'shop-0123456789' },
      allowed_hosts: ['*.shop.example'],
    },
    { as: 'mara' },
  )
  const [shown, ...flows] = jsonBlocks
  expect(Object.keys(stored)).toEqual(Object.keys(shown))
  expect(flows).toHaveLength(3)
  for (const steps of flows.map((found) => [found].flat())) {
    const flow_definition = { id: 'from_guide', label: 'Guide', steps }
    const { body } = await server.post('/flows/validate', { flow_definition }, { as: 'mara' })
    expect(body.validation_results).toMatchObject({ valid: true, errors: [], warnings: [] })
  }
})
