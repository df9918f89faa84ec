import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { closeHttpServer } from '#kernel/http'
import { runPlainly } from '../database/engine-setting.ts'
import { createBareServer } from '../support/bare-server.ts'
import { basicAuth, openPlatform } from '../support/platform.ts'
import { createTestDatabase } from '../support/test-database.ts'

test('a process that stops is not ready while it still serves requests', async () => {
  await using platform = await openPlatform({ CLOSE_DELAY: '10s' })
  const readiness = async () => {
    const answer = await fetch(`${platform.url}/readyz`)
    return [answer.status, await answer.json()]
  }
  // The database of a busy machine may not respond in time.
  await expect.poll(readiness).toMatchObject([200, {}])
  const closing = platform.close()
  const alive = fetch(`${platform.url}/healthz`)
  await expect.poll(readiness).toMatchObject([503, { checks: { process: 'stopping', database: 'ok' } }])
  expect((await alive).status).toBe(200)
  await closing
  await expect(fetch(`${platform.url}/healthz`)).rejects.toThrow('fetch failed')
})

test('a process that does not run at its deadline still sends the last message of a response', async () => {
  const server = await createBareServer()
  const { promise: started, resolve: start } = Promise.withResolvers<void>()
  server.get('/last', { config: { access: { open: 'a test' } } }, async () => {
    const terminating = once(server.terminating.signal, 'abort')
    start()
    await terminating
    await nextTurn()
    return { last: 'message' }
  })
  const asked = fetch(`${await server.listen({ port: 0, host: '127.0.0.1' })}/last`)
  await started
  // A quarter of it, a second, is for the message.
  const graceMs = 4000
  const closed = closeHttpServer(server, graceMs)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, graceMs + 100)
  expect(await (await asked).json()).toEqual({ last: 'message' })
  await closed
})

test('a process that stops still answers a caller that waits for an execution of another process', async () => {
  const { promise: called, resolve: call } = Promise.withResolvers<() => void>()
  await using database = await createTestDatabase()
  await using api = await openPlatform({ CLOSE_GRACE: '60s' }, { role: 'api', database })
  await using _ = await openPlatform(
    {},
    {
      role: 'worker',
      database,
      runStep: () => async (run) => {
        await new Promise<void>((resolve) => call(resolve))
        return await runPlainly(run)
      },
    },
  )
  const workflows = `${api.url}/ai-workflows/api`
  const post = (path: string, body: object) =>
    fetch(`${workflows}/${path}`, {
      method: 'POST',
      headers: { ...basicAuth(api), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const steps = [{ id: 'only', type: 'ai_prompt', prompt: 'x', ai_options: { model: 'builtin:text' } }]
  expect((await post('flows', { flow_definition: { id: 'slow', label: 'Slow', steps } })).status).toBe(201)
  const answer = post('execute-flow', { flow_id: 'slow', context: {} })
  const release = await called
  const closing = api.close()
  // The server has begun to close.
  await expect.poll(() => fetch(`${api.url}/healthz`).catch(() => 'closed')).toBe('closed')
  release()
  expect((await answer).status).toBe(200)
  await closing
})
