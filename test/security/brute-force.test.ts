import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { call } from '../http/identity-calls.ts'
import {
  addAccount,
  basic,
  countHashes,
  freshAddress,
  type IdentityServer,
  signIn,
  signInByForm,
  startIdentityServer,
  startIdentityServerOn,
} from '../http/identity-server.ts'
import { addPerson, callAs, getClientToken, registerClient, sendForm } from '../http/oauth-support.ts'
import { openPlatform } from '../support/platform.ts'
import { untilCalm } from './until-calm.ts'

const wanda = { username: 'wanda', password: 'lute and harpsichord' }

let server: IdentityServer
let replica: IdentityServer

beforeAll(async () => {
  server = await startIdentityServer()
  replica = await startIdentityServerOn(server.database)
  await untilCalm(server, replica)
  await addAccount(server.database, wanda)
})
afterAll(async () => {
  await replica[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})
beforeEach(() => server.database.query('delete from identity_sign_in_limits'))

interface Attempt {
  readonly username: string
  readonly ip: string
  readonly at: IdentityServer
}

const doors: readonly ((attempt: Attempt) => Promise<Response>)[] = [
  ({ username, ip, at }) => signIn(at, { username, password: 'wrong' }, { ip }),
  ({ username, ip, at }) => signInByForm(at, { username, password: 'wrong' }, { ip }),
  ({ username, ip, at }) =>
    fetch(`${at.url}/api/v1/user/profile`, {
      headers: { ...basic(username, `wrong ${Math.random()}`), 'x-forwarded-for': ip },
    }),
  ({ username, ip, at }) =>
    fetch(`${at.url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
      body: JSON.stringify({ username, password: 'wrong' }),
    }),
]

function countStatuses(statuses: readonly number[]): Record<string, number> {
  return Object.fromEntries(
    Map.groupBy(statuses, String)
      .entries()
      .map(([status, all]) => [status, all.length]),
  )
}

test('One address guesses passwords at every endpoint and every replica', async () => {
  const ip = freshAddress()
  const statuses: number[] = []
  for (let round = 0; round < 14; round += 1) {
    const door = doors[round % doors.length]
    const at = round % 3 === 0 ? replica : server
    statuses.push((await door?.({ username: `guess${round}`, ip, at }))?.status ?? 0)
  }
  expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 401))
  expect(statuses.slice(10)).toEqual([429, 429, 429, 429])
  const before = await countHashes(server)
  const answer = await signIn(server, wanda, { ip })
  expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, true])
  expect(await countHashes(server)).toBe(before)
})

test('One address guesses forty passwords concurrently', async () => {
  const ip = freshAddress()
  const attempts = Array.from({ length: 40 }, async (_, index) => {
    const at = index % 2 === 0 ? server : replica
    const answer = await doors[index % doors.length]?.({ username: `burst${index}`, ip, at })
    return answer?.status ?? 0
  })
  expect(countStatuses(await Promise.all(attempts))).toEqual({ 401: 10, 429: 30 })
})

test('Many addresses guess the password of one account, in many spellings', async () => {
  const spellings = ['wanda', 'WANDA', ' wanda ', 'ｗａｎｄａ', 'Wanda']
  const statuses: number[] = []
  for (let round = 0; round < 13; round += 1) {
    const username = spellings[round % spellings.length] ?? ''
    statuses.push((await signIn(server, { username, password: 'wrong' })).status)
  }
  expect(countStatuses(statuses)).toEqual({ 401: 10, 429: 3 })
})

test('An attacker locks a user out by failed sign-ins', async () => {
  const stranger = freshAddress()
  for (let round = 0; round < 12; round += 1) {
    await signIn(server, { ...wanda, password: 'wrong' }, { ip: round % 2 === 0 ? stranger : freshAddress() })
  }
  expect((await signIn(server, { ...wanda, password: 'wrong' })).status).toBe(429)
  expect((await signIn(server, wanda)).status).toBe(200)
  expect((await signIn(replica, wanda)).status).toBe(200)
})

test('An attacker locks a client out by wrong secrets', async () => {
  const owner = await addPerson(server)
  const client = await registerClient(server, owner)
  const ip = freshAddress()
  const wrong = { grant_type: 'client_credentials', client_id: client.client_id, client_secret: 'wrong' }
  const statuses: number[] = []
  for (let round = 0; round < 62; round += 1) {
    statuses.push((await sendForm(server, '/oauth/token', wrong, { 'x-forwarded-for': ip })).status)
  }
  expect(countStatuses(statuses)).toEqual({ 401: 60, 429: 2 })
  expect((await getClientToken(server, client)).status).toBe(200)
})

test('A client, or an address, requests tokens without limit', async () => {
  const owner = await addPerson(server)
  const client = await registerClient(server, owner)
  const own: number[] = []
  for (let round = 0; round < 61; round += 1) own.push((await getClientToken(server, client)).status)
  expect(countStatuses(own)).toEqual({ 200: 60, 429: 1 })
  const as = { 'x-forwarded-for': freshAddress() }
  const guesses: number[] = []
  for (let round = 0; round < 61; round += 1) {
    const body = { refreshToken: `tr_${round}` }
    guesses.push((await call(server, 'POST /api/v1/auth/refresh', { as, body })).status)
  }
  expect(countStatuses(guesses)).toEqual({ 401: 60, 429: 1 })
})

test('An open session is used to guess its password', async () => {
  const person = await addPerson(server)
  const statuses: number[] = []
  for (let round = 0; round < 12; round += 1) {
    const body = { current_password: `guess ${round}`, new_password: 'another password' }
    statuses.push((await callAs(server, person, 'POST', '/api/v1/user/password', body)).status)
  }
  expect(countStatuses(statuses)).toEqual({ 400: 10, 429: 2 })
})

test('A caller behind a proxy prepends forged addresses to X-Forwarded-For', async () => {
  const real = freshAddress()
  const statuses: number[] = []
  for (let round = 0; round < 12; round += 1) {
    const ip = `198.51.100.${round}, ${real}`
    statuses.push((await signIn(server, { username: `spoof${round}`, password: 'wrong' }, { ip })).status)
  }
  expect(countStatuses(statuses)).toEqual({ 401: 10, 429: 2 })
})

test('A caller forges X-Forwarded-For where no proxy is trusted', async () => {
  await using platform = await openPlatform()
  const statuses: number[] = []
  for (let round = 0; round < 12; round += 1) {
    const made = `198.51.100.${round}`
    const answer = await fetch(`${platform.url}/user/login`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': made,
        'x-real-ip': made,
        'x-client-ip': made,
        forwarded: `for=${made}`,
      },
      body: JSON.stringify({ username: `spoof${round}`, password: 'wrong' }),
    })
    statuses.push(answer.status)
  }
  expect(countStatuses(statuses)).toEqual({ 401: 10, 429: 2 })
})
