import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, inject, test } from 'vitest'
import { createDataFolder } from '../support/data-folder.ts'
import { eventually } from '../support/eventually.ts'
import { patience } from '../support/patience.ts'
import { startPlatformIn } from '../support/platform.ts'
import { createWorkflowsApi } from './workflows-api.ts'

/** Counts the calls that the steps of flows make, outside of the platform. While it holds, calls to some URLs get no answer. */
async function startCounter() {
  const calls: string[] = []
  const held = new Set<string>()
  const waiting: ServerResponse[] = []
  const server = createServer((request, response) => {
    const url = request.url ?? ''
    calls.push(url)
    request.resume()
    if (held.has(url)) waiting.push(response)
    else response.setHeader('content-type', 'application/json').end(JSON.stringify({ calls: calls.length }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    calls,
    held,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      for (const response of waiting) response.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

test(
  'a kill -9 inside loops and sub-flows repeats no finished call',
  async () => {
    await using counter = await startCounter()
    await using folder = await createDataFolder({ copyOf: inject('madeDataFolder') })
    const settings = { TUTTI_OUTBOUND_ALLOW: '127.0.0.1' }
    const post = (id: string, path: string, more: object = {}) => ({
      id,
      type: 'external_api',
      api: { url: `${counter.url}${path}`, method: 'POST', body: {} },
      ...more,
    })
    const loop = {
      id: 'loop',
      type: 'repeat_until',
      until: { field: 'index', operator: '>=', value: 2 },
      max_iterations: 5,
      steps: [
        post('one', '/loop/{{index}}/one'),
        post('two', '/loop/{{index}}/two', { dependencies: ['one'] }),
      ],
    }
    const polling = {
      id: 'poll',
      type: 'repeat_until',
      until: { field: 'index', operator: '>=', value: 1 },
      max_iterations: 2,
      delay: '12s',
      steps: [post('ask', '/poll/{{index}}')],
    }
    const inner = [
      post('first', '/inner/first'),
      post('second', '/inner/second', { dependencies: ['first'] }),
    ]
    const flows = {
      inner_flow: inner,
      looping_flow: [loop],
      polling_flow: [polling],
      calling_flow: [
        { id: 'call', type: 'sub_flow', flow: 'inner_flow' },
        post('after', '/after', { dependencies: ['call'] }),
      ],
    }
    const ids: string[] = []
    counter.held.add('/loop/1/two')
    counter.held.add('/inner/second')
    {
      await using platform = await startPlatformIn(folder.path, settings)
      const api = createWorkflowsApi(platform)
      for (const [id, steps] of Object.entries(flows))
        await api('/flows', { flow_definition: { id, label: id, steps } })
      for (const flow of ['looping_flow', 'polling_flow', 'calling_flow']) {
        const started = await api('/execute-flow-async', { flow_id: flow, context: { content: '' } })
        ids.push(String(started['execution_id']))
      }
      await eventually(async () => {
        const { suspended } = await api(`/execution-status/${ids[1]}`)
        const isHeld = [...counter.held].every((url) => counter.calls.includes(url))
        return suspended !== null && suspended !== undefined && isHeld
      }, 150)
      await platform.process.kill('SIGKILL')
    }
    counter.held.clear()
    await using platform = await startPlatformIn(folder.path, settings)
    const api = createWorkflowsApi(platform)
    for (const id of ids)
      await eventually(async () => (await api(`/executions/${id}`))['status'] === 'completed', 300)
    // Only the two calls without an answer are made again.
    expect(counter.calls.toSorted()).toEqual([
      '/after',
      '/inner/first',
      '/inner/second',
      '/inner/second',
      '/loop/0/one',
      '/loop/0/two',
      '/loop/1/one',
      '/loop/1/two',
      '/loop/1/two',
      '/loop/2/one',
      '/loop/2/two',
      '/poll/0',
      '/poll/1',
    ])
  },
  240_000 * patience,
)
