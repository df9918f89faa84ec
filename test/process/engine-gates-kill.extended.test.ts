import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, inject, test } from 'vitest'
import { createDataFolder } from '../support/data-folder.ts'
import { eventually } from '../support/eventually.ts'
import { patience } from '../support/patience.ts'
import { startPlatformIn } from '../support/platform.ts'
import { createWorkflowsApi } from './workflows-api.ts'

/** Answers calls only when it is told to, and keeps the ids of the executions that call it. */
async function startHeldApi() {
  const open = new Map<string, ServerResponse>()
  const calls: string[] = []
  const server = createServer((request, response) => {
    const id = request.url?.slice(1) ?? ''
    calls.push(id)
    open.set(id, response)
    request.resume()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    calls,
    open,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer(id: string) {
      open.get(id)?.setHeader('content-type', 'application/json').end('{}')
      open.delete(id)
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

test(
  'a kill -9 of the process that holds the slot of a flow neither loses nor doubles the slot',
  async () => {
    await using held = await startHeldApi()
    await using folder = await createDataFolder({ copyOf: inject('madeDataFolder') })
    const settings = { TUTTI_OUTBOUND_ALLOW: '127.0.0.1' }
    const names = ['first', 'second', 'third']
    const ids: string[] = []
    {
      await using platform = await startPlatformIn(folder.path, settings)
      const api = createWorkflowsApi(platform)
      await api('/flows', {
        flow_definition: {
          id: 'one_at_a_time',
          label: 'One at a time',
          global_configuration: { flow_control: { concurrency: { limit: 1 } } },
          steps: [{ id: 'call', type: 'external_api', api: { url: `${held.url}/{{name}}`, method: 'GET' } }],
        },
      })
      for (const name of names) {
        const started = await api('/execute-flow-async', {
          flow_id: 'one_at_a_time',
          context: { content: '', name },
        })
        ids.push(String(started['execution_id']))
      }
      await eventually(() => held.open.has('first'), 50)
      expect((await api(`/execution-status/${ids[1]}`))['gated']).toMatchObject({ limit: 'concurrency' })
      await platform.process.kill('SIGKILL')
    }
    held.open.clear()
    await using platform = await startPlatformIn(folder.path, settings)
    const api = createWorkflowsApi(platform)
    // The holder runs again in the next process, and the others wait for it there.
    for (const [index, name] of names.entries()) {
      await eventually(() => held.open.has(name), 50)
      expect([...held.open.keys()]).toEqual([name])
      held.answer(name)
      await eventually(async () => (await api(`/executions/${ids[index]}`))['status'] === 'completed', 200)
    }
    expect(held.calls).toEqual(['first', 'first', 'second', 'third'])
  },
  240_000 * patience,
)
