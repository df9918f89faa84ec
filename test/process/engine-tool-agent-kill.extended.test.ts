import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { asks, says } from '../database/engine-tool-agent-scene.ts'
import { eventually } from '../support/eventually.ts'
import { startOpenAiServer } from '../support/openai-server.ts'
import { startPlatform } from '../support/platform.ts'
import type { RunningProcess } from '../support/process.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { letWorkerTimeOut } from './killed-workers.ts'
import { createWorkflowsApi } from './workflows-api.ts'

/** An API outside of the platform. The first call of `/slow` gets no response. */
async function startNotes() {
  const calls: { readonly url: string; readonly key: unknown }[] = []
  const server = createServer((request, response) => {
    const url = request.url ?? ''
    const isFirst = !calls.some((call) => call.url === url)
    calls.push({ url, key: request.headers['idempotency-key'] })
    request.resume()
    if (url === '/slow' && isFirst) return
    response.setHeader('content-type', 'application/json').end('{"written": true}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    calls,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

test('a kill -9 in a call of a tool and in a turn repeats nothing that had ended', async () => {
  await using notes = await startNotes()
  await using openai = await startOpenAiServer()
  await using database = await createTestDatabase()
  const environment = {
    DATABASE_URL: database.url,
    TUTTI_OUTBOUND_ALLOW: '127.0.0.1',
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: openai.baseUrl,
  }
  const tool = (name: string) => ({
    type: 'http',
    name,
    description: 'Writes a note.',
    method: 'POST',
    url: `${notes.url}/${name}`,
  })
  const chats = () => openai.requests.filter(({ path }) => path.endsWith('/chat/completions')).length
  openai.script(asks(['quick', {}], ['slow', {}]))
  let id = ''
  let killed: RunningProcess
  {
    await using platform = await startPlatform(environment)
    const api = createWorkflowsApi(platform)
    const step = {
      id: 'helper',
      type: 'tool_agent',
      prompt: 'Write two notes.',
      ai_options: { model: 'gpt-4o-mini' },
      tools: [tool('quick'), tool('slow')],
    }
    await api('/flows', { flow_definition: { id: 'notes', label: 'Notes', steps: [step] } })
    const started = await api('/execute-flow-async', { flow_id: 'notes', context: { content: '' } })
    id = String(started['execution_id'])
    const path = encodeURIComponent('helper/1/$call_0')
    await eventually(async () => {
      if (!notes.calls.some(({ url }) => url === '/slow')) return false
      return (await api(`/executions/${id}/steps/${path}`))['state'] === 'completed'
    }, 300)
    killed = platform.process
    await killed.kill('SIGKILL')
  }
  // The second turn hangs when the next worker has finished the call.
  openai.script('hang')
  {
    await using platform = await startPlatform(environment)
    await letWorkerTimeOut(database, killed)
    await eventually(() => chats() === 2, 300)
    killed = platform.process
    await killed.kill('SIGKILL')
  }
  openai.script(says('Both are written.'))
  await using platform = await startPlatform(environment)
  await letWorkerTimeOut(database, killed)
  const api = createWorkflowsApi(platform)
  await eventually(async () => (await api(`/executions/${id}`))['status'] === 'completed', 300)
  expect((await api(`/executions/${id}`))['result']).toBe('Both are written.')
  // Both tools are called at the same time.
  expect(notes.calls.toSorted((one, other) => one.url.localeCompare(other.url))).toEqual([
    { url: '/quick', key: `${id}/helper/1/$call_0` },
    { url: '/slow', key: `${id}/helper/1/$call_1` },
    { url: '/slow', key: `${id}/helper/1/$call_1` },
  ])
  // The first turn ran once, the second was interrupted and ran again.
  expect(chats()).toBe(3)
})
