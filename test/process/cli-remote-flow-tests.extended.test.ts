import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unlimitedReads } from '../http/request-limits.ts'
import { startEchoApi } from '../support/echo-api.ts'
import { patience } from '../support/patience.ts'
import { openPlatform } from '../support/platform.ts'
import { runTutti } from './run-tutti.ts'

const key = `tk_${'k'.repeat(40)}`

const flow = (template: string) => ({
  id: 'greeting',
  label: 'Greeting',
  steps: [
    { id: 'greet', type: 'data_transform', transformations: [{ operation: 'generate_summary', template }] },
  ],
})

/** A platform, the command `tutti flows test` with a folder of its own, and requests to the Workflows API. */
async function start(closing: AsyncDisposableStack) {
  const platform = closing.use(
    await openPlatform({ TUTTI_API_KEY: key, TUTTI_OUTBOUND_ALLOW: '127.0.0.1' }, unlimitedReads),
  )
  const folder = await mkdtemp(join(tmpdir(), 'tutti-flow-tests-'))
  closing.defer(() => rm(folder, { recursive: true }))
  const env = { XDG_CONFIG_HOME: folder, TUTTI_URL: platform.url, TUTTI_API_KEY: key }
  const tutti = (...args: readonly string[]) => runTutti(['flows', 'test', ...args], { env, cwd: folder })
  async function send(
    method: string,
    path: string,
    body: object,
  ): Promise<Readonly<Record<string, unknown>>> {
    const answer = await fetch(`${platform.url}/ai-workflows/api${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as Readonly<Record<string, unknown>>
  }
  return { platform, folder, tutti, send }
}

test('flows test replays saved tests, with saved flows or with files', {
  timeout: 120_000 * patience,
}, async () => {
  await using closing = new AsyncDisposableStack()
  const { platform, folder, tutti, send } = await start(closing)
  const saveTest = (name: string, content: string, value: string) =>
    send('PUT', `/flows/greeting/tests/${name}`, {
      input: { context: { content } },
      expect: [{ field: 'result', operator: '==', value }],
    })

  expect(await tutti()).toMatchObject({ code: 0, stdout: '', stderr: 'No flow has a test.\n' })
  await send('POST', '/flows', { flow_definition: flow('Hello,\n{{content}}!\nBye.') })
  // More than one request: the platform gets ten at a time.
  for (let at = 0; at < 11; at += 1) await saveTest(`t${at}`, `Ada ${at}`, `Hello,\nAda ${at}!\nBye.`)
  const passed = await tutti('greeting')
  expect(passed.code).toBe(0)
  expect(passed.stdout).toMatch(/^greeting\n {2}passed {2}t0\n/)
  expect(passed.stdout).toMatch(/\n\n11 tests, all passed\.\n$/)

  await saveTest('lines', 'Grace', 'Hello,\nAda!\nBye.')
  const failed = await tutti('--name', 'lines')
  expect(failed.code).toBe(1)
  expect(failed.stdout).toContain(
    [
      '  failed  lines',
      '      result ==',
      '        Hello,',
      '      - Ada!',
      '      + Grace!',
      '        Bye.',
      `      Trace: ${platform.url}/executions/`,
    ].join('\n'),
  )

  await mkdir(join(folder, 'flows'))
  await writeFile(join(folder, 'flows/greeting.flow.json'), JSON.stringify(flow('Hi, {{content}}!')))
  await writeFile(join(folder, 'flows/new.flow.json'), JSON.stringify({ ...flow('x'), id: 'new' }))
  const changed = await tutti('--dir', 'flows', '--name', 't0', '--json')
  expect(changed.code).toBe(1)
  expect(JSON.parse(changed.stdout)).toMatchObject([
    {
      flow_id: 'greeting',
      passed: false,
      tests: [{ name: 't0', problems: [{ expectation: { field: 'result', actual: 'Hi, Ada 0!' } }] }],
    },
  ])

  expect((await tutti('greeting', '--name', 'none')).code).toBe(2)
  expect((await tutti('missing')).code).toBe(2)
  expect((await tutti('missing', '--dir', 'flows')).stderr).toContain('no file of the flow "missing"')
})

test('flows test replays the requests of every item of a loop', { timeout: 120_000 * patience }, async () => {
  await using closing = new AsyncDisposableStack()
  const { tutti, send } = await start(closing)
  const api = closing.use(await startEchoApi())
  const orders = (result: string) => ({
    id: 'orders',
    label: 'Orders',
    steps: [
      {
        id: 'each',
        type: 'for_each',
        items: 'orders',
        result,
        steps: [
          { id: 'fetch', type: 'external_api', api: { url: `${api.url}/orders/{{item}}`, method: 'GET' } },
        ],
      },
      {
        id: 'list',
        type: 'data_transform',
        dependencies: ['each'],
        transformations: [{ operation: 'expression', expression: 'steps.each.results' }],
      },
    ],
  })
  await send('POST', '/flows', { flow_definition: orders('{{steps.fetch.url}}') })
  const { execution_id } = await send('POST', '/execute-flow', {
    flow_id: 'orders',
    context: { orders: ['a', 'b'] },
  })
  expect(api.requests.map(({ url }) => url).toSorted()).toEqual(['/orders/a', '/orders/b'])
  await send('PUT', '/flows/orders/tests/two_orders', {
    from_execution: execution_id,
    expect: [{ field: 'result', operator: '==', value: ['/orders/a', '/orders/b'] }],
  })

  const passed = await tutti('orders')
  expect([passed.code, passed.stdout]).toEqual([0, 'orders\n  passed  two_orders\n\n1 test, all passed.\n'])

  await send('PUT', '/flows/orders', { flow_definition: orders('{{steps.fetch.method}}') })
  const failed = await tutti('orders')
  expect(failed.code).toBe(1)
  expect(failed.stdout).toContain('failed  two_orders')
  // Neither run has sent a request.
  expect(api.requests).toHaveLength(2)
})
