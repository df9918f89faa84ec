import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  addAccount,
  basic,
  freshAddress,
  type IdentityServer,
  signIn,
  signInByForm,
  startIdentityServer,
} from '../http/identity-server.ts'
import { addPerson, registerClient, sendForm } from '../http/oauth-support.ts'
import { untilCalm } from './until-calm.ts'

let server: IdentityServer

beforeAll(async () => {
  server = await startIdentityServer()
  await untilCalm(server)
  const isHashCostly = true
  await addAccount(server.database, { username: 'known', password: 'a password of hers', isHashCostly })
  await addAccount(server.database, { username: 'closed', password: 'a password of his', isHashCostly })
  await server.database.query(`update identity_users set disabled_at = now() where username = 'closed'`)
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(() => server.database.query('delete from identity_sign_in_limits'))

interface Guess {
  readonly username: string
  readonly password: string
}

/** Every door that a password opens. */
const doors: Readonly<Record<string, (guess: Guess) => Promise<Response>>> = {
  json: (guess) => signIn(server, guess),
  form: (guess) => signInByForm(server, { ...guess }),
  token: (guess) =>
    fetch(`${server.url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': freshAddress() },
      body: JSON.stringify(guess),
    }),
  basic: ({ username, password }) =>
    fetch(`${server.url}/api/v1/user/profile`, {
      headers: { ...basic(username, password), 'x-forwarded-for': freshAddress() },
    }),
}

const changing = new Set(['date', 'x-request-id', 'content-security-policy', 'content-length'])

/** All that an answer tells, but for what differs from one to the next anyway. */
async function tellOf(answer: Response, name: string): Promise<unknown> {
  const text = await answer.text()
  return {
    status: answer.status,
    headers: [...answer.headers].filter(([header]) => !changing.has(header)),
    body: text
      .replaceAll(name, 'NAME')
      .replaceAll(/nonce(-|=")[^"']+/g, '')
      .replace(/"request_id":"[^"]+"/, ''),
  }
}

test('A username is enumerated by the response of a sign-in', async () => {
  for (const [door, open] of Object.entries(doors)) {
    const told = async (username: string, password: string) =>
      await tellOf(await open({ username, password }), username)
    const unknown = await told('unknown', 'wrong')
    expect(await told('known', 'wrong'), door).toEqual(unknown)
    expect(await told('closed', 'wrong'), door).toEqual(unknown)
    expect(await told('closed', 'a password of his'), door).toEqual(unknown)
  }
})

test('A username is enumerated by its rate limit', async () => {
  const told: unknown[] = []
  for (const username of ['known', 'closed', 'unknown']) {
    const statuses: number[] = []
    for (let round = 0; round < 12; round += 1) {
      statuses.push((await signIn(server, { username, password: 'wrong' })).status)
    }
    told.push(statuses)
  }
  expect(told[1]).toEqual(told[0])
  expect(told[2]).toEqual(told[0])
})

test('A username is enumerated by the duration of a sign-in', async () => {
  const rounds = 9
  const names = ['known', 'closed', 'unknown'] as const
  const samples = new Map<string, number[]>(names.map((name) => [name, []]))
  await signIn(server, { username: 'warm up', password: 'wrong' })
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const before = process.cpuUsage()
      await signIn(server, { username: name, password: 'wrong' })
      const { user, system } = process.cpuUsage(before)
      samples.get(name)?.push(user + system)
    }
    await server.database.query('delete from identity_sign_in_limits')
  }
  // Other work of this process only adds to it; that of other processes does not count.
  const shortest = (name: string) => Math.min(...(samples.get(name) ?? []))
  // One password hash costs many milliseconds: a response without it is several times as fast.
  for (const name of ['closed', 'unknown']) {
    expect(shortest(name) / shortest('known')).toBeGreaterThan(0.4)
    expect(shortest(name) / shortest('known')).toBeLessThan(2.5)
  }
})

test('A client is enumerated by the response of the token endpoint', async () => {
  const owner = await addPerson(server)
  const { client_id } = await registerClient(server, owner)
  const fields = { grant_type: 'client_credentials', client_secret: 'tcs_wrong' }
  for (const path of ['/oauth/token', '/oauth/revoke', '/oauth/introspect']) {
    const told = async (id: string) =>
      await tellOf(await sendForm(server, path, { ...fields, token: 'x', client_id: id }), id)
    expect(await told(client_id), path).toEqual(await told('tutti-unknown'))
  }
})

test('A username is enumerated by creating, reading or changing accounts', async () => {
  const viewer = await addPerson(server, { roles: ['viewer'] })
  const headers = { cookie: viewer.session.cookie, 'x-csrf-token': viewer.session.csrfToken }
  const [row] = await server.database.query<{ id: string }>(
    `select id from identity_users where username = 'known'`,
  )
  for (const id of [row?.id, crypto.randomUUID()]) {
    for (const method of ['GET', 'PATCH', 'DELETE']) {
      const answer = await fetch(`${server.url}/api/v1/users/${id}`, { method, headers })
      expect(answer.status, method).toBe(403)
    }
  }
  for (const username of ['known', 'unknown']) {
    const answer = await fetch(`${server.url}/api/v1/users`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ username, password: 'long enough' }),
    })
    expect(answer.status, username).toBe(403)
  }
})
