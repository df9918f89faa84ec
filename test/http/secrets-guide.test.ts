import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startWorkflowsServer, type WorkflowsServer } from './workflows-server.ts'

const guide = readFileSync(new URL('../../docs/guides/secrets.md', import.meta.url), 'utf8')

let server: WorkflowsServer
beforeAll(async () => {
  server = await startWorkflowsServer()
})
afterAll(() => server?.[Symbol.asyncDispose]())

interface Command {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** The requests of the guide, in its order. */
function readCommands(): Command[] {
  const blocks = [...guide.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) => block)
  return blocks.flatMap((block) =>
    [...block.matchAll(/curl -s (?:-X (\w+) )?\$API(\S+) -H "\$AUTH"(?: -H "\$JSON" -d '([\s\S]*?)')?/g)].map(
      ([, method, path = '', body]) => ({
        method: method ?? (body === undefined ? 'GET' : 'POST'),
        path,
        body: body === undefined ? undefined : JSON.parse(body),
      }),
    ),
  )
}

const jsonBlocks = [...guide.matchAll(/^```json\n([\s\S]*?)^```/gm)].map(([, block = '']) =>
  JSON.parse(block),
)

test('the requests of the guide work in their order', async () => {
  const commands = readCommands()
  expect(commands.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /secrets',
    'POST /connections',
    'POST /connections/shop/test',
    'PUT /secrets/github',
    'GET /secrets/github',
    'DELETE /secrets/github',
  ])
  const answers = []
  for (const { method, path, body } of commands) answers.push(await server.call(path, { method, body }))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 200, 200, 200, 200])
  const [shown] = jsonBlocks
  expect(Object.keys(answers[0]?.body)).toEqual(Object.keys(shown))
})

test('the steps of the guide are valid and name what the guide has stored', async () => {
  await server.post(
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
  const [, ...flows] = jsonBlocks
  expect(flows).toHaveLength(3)
  for (const steps of flows.map((found) => [found].flat())) {
    const flow_definition = { id: 'from_guide', label: 'Guide', steps }
    const { body } = await server.post('/flows/validate', { flow_definition }, { as: 'mara' })
    expect(body.validation_results).toMatchObject({ valid: true, errors: [], warnings: [] })
  }
})
