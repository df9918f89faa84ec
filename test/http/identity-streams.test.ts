import { afterAll, beforeAll, expect, test } from 'vitest'
import { addAccount, type IdentityServer, openSession, startIdentityServer } from './identity-server.ts'

let server: IdentityServer

beforeAll(async () => {
  server = await startIdentityServer()
})

afterAll(() => server[Symbol.asyncDispose]())

async function follow(headers: Record<string, string>): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const answer = await fetch(`${server.url}/api/v1/news`, { headers })
  expect(answer.status).toBe(200)
  const reader = answer.body?.getReader()
  if (reader === undefined) throw new Error('the answer has no body')
  return reader
}

async function untilEnd(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}

test('a stream lasts as long as its session, and ends soon after', async () => {
  const credentials = { username: 'clara', password: 'piano trio in g minor' }
  await addAccount(server.database, credentials)
  const { cookie, csrfToken } = await openSession(server, credentials)
  const reader = await follow({ cookie })
  for (let beat = 0; beat < 4; beat += 1) expect((await reader.read()).done).toBe(false)
  await fetch(`${server.url}/user/logout`, { method: 'POST', headers: { cookie, 'x-csrf-token': csrfToken } })
  await untilEnd(reader)
  expect((await fetch(`${server.url}/api/v1/news`, { headers: { cookie } })).status).toBe(401)
})

test('a stream ends when the account loses its permissions', async () => {
  const credentials = { username: 'fanny', password: 'the year in twelve pieces' }
  await addAccount(server.database, credentials)
  const { cookie } = await openSession(server, credentials)
  const reader = await follow({ cookie })
  await server.database.query(`update identity_users set disabled_at = now() where username = 'fanny'`)
  await untilEnd(reader)
})
