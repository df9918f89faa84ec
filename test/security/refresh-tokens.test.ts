import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bearer, call, login, type Tokens } from '../http/identity-calls.ts'
import {
  eventsOf,
  freshAddress,
  type IdentityServer,
  startIdentityServer,
  startIdentityServerOn,
} from '../http/identity-server.ts'
import {
  addPerson,
  getTokens,
  proofOf,
  type RegisteredClient,
  refresh,
  registerClient,
  sendForm,
  tokensOf,
  tryToken,
  worksAt,
} from '../http/oauth-support.ts'
import type { Person } from '../http/oauth-visitor.ts'
import { eventually } from '../support/eventually.ts'
import { untilCalm } from './until-calm.ts'

let server: IdentityServer
let replica: IdentityServer
let ruth: Person
let client: RegisteredClient

beforeAll(async () => {
  server = await startIdentityServer()
  replica = await startIdentityServerOn(server.database)
  await untilCalm(server, replica)
  ruth = await addPerson(server)
})
afterAll(async () => {
  await replica[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})
/** A client may ask sixty times a minute, which all of them together, and one of them twice, would come close to. */
beforeEach(async () => {
  client = await registerClient(server, ruth)
})

const renew = (refreshToken: string, at = server) =>
  call<Tokens>(at, 'POST /api/v1/auth/refresh', {
    as: { 'x-forwarded-for': freshAddress() },
    body: { refreshToken },
  })

test('A stolen refresh token of an application is used in parallel with its owner', async () => {
  const first = await getTokens(server, ruth, client)
  const second = await tokensOf(await refresh(server, client, first.refresh_token))
  const before = (await eventsOf(server, 'identity.refresh_token_reused')).length
  const stolen = await refresh(server, client, first.refresh_token)
  expect([stolen.status, (await tokensOf(stolen)).error]).toEqual([400, 'invalid_grant'])
  expect((await refresh(server, client, second.refresh_token)).status).toBe(400)
  for (const { access_token } of [first, second]) {
    expect(await worksAt(server, access_token)).toBe(false)
    await expect.poll(() => worksAt(replica, access_token)).toBe(false)
  }
  expect(await eventsOf(server, 'identity.refresh_token_reused')).toHaveLength(before + 1)
})

test('A stolen refresh token of a sign-in is used in parallel with its owner', async () => {
  const first = await login(server, ruth)
  const second = (await renew(first.refreshToken)).body
  expect((await renew(first.refreshToken)).status).toBe(401)
  expect((await renew(second.refreshToken)).status).toBe(401)
  for (const { token } of [first, second]) {
    expect((await tryToken(server, token)).status).toBe(401)
    await expect.poll(() => worksAt(replica, token)).toBe(false)
  }
})

test('Ten clients use one refresh token concurrently, at two replicas', async () => {
  const { refreshToken } = await login(server, ruth)
  const signIns = await Promise.all(
    Array.from({ length: 10 }, (_, index) => renew(refreshToken, index % 2 === 0 ? server : replica)),
  )
  expect(signIns.filter(({ status }) => status === 200)).toHaveLength(1)
  const { refresh_token } = await getTokens(server, ruth, client)
  const authorizations = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      refresh(index % 2 === 0 ? server : replica, client, refresh_token),
    ),
  )
  expect(authorizations.filter(({ status }) => status === 200)).toHaveLength(1)
})

test('A refresh token is used twice, and the database is slow for the first request', async () => {
  // A request waits while `stalled` has a row locked, before it reads the token; its time has started by then.
  await server.database.query('create table if not exists stalled ()')
  await server.database.query(`
    create or replace function stall() returns trigger language plpgsql as $$
    begin
      if exists (select from stalled) then perform pg_advisory_xact_lock(1); end if;
      return null;
    end $$
  `)
  for (const table of ['identity_refresh_tokens', 'identity_oauth_records']) {
    await server.database.query(
      `create or replace trigger stall before update on ${table} for each statement execute function stall()`,
    )
  }
  await server.database.query('delete from stalled')
  const { refreshToken } = await login(server, ruth)
  const { refresh_token } = await getTokens(server, ruth, client)
  const attempts = [
    { attempt: () => renew(refreshToken), refused: 401 },
    { attempt: () => refresh(server, client, refresh_token), refused: 400 },
  ]
  for (const { attempt, refused } of attempts) {
    const held = Promise.withResolvers<void>()
    const letGo = Promise.withResolvers<void>()
    // A session, because the server ends a transaction that is idle for ten seconds.
    const holding = server.database.withSession(async (session) => {
      await session.query('select pg_advisory_lock(1)')
      held.resolve()
      await letGo.promise
    })
    await held.promise
    await server.database.query('insert into stalled default values')
    const slow = attempt()
    await eventually(async () => {
      // Of this database alone: others of the same server have their own locks.
      const waiting = await server.database.query(
        `select from pg_locks join pg_database on pg_database.oid = pg_locks.database
         where datname = current_database() and locktype = 'advisory' and not granted`,
      )
      return waiting.length > 0
    })
    await server.database.query('delete from stalled')
    expect((await attempt()).status).toBe(200)
    letGo.resolve()
    await holding
    expect((await slow).status).toBe(refused)
  }
})

test('A client uses the refresh token of another client', async () => {
  const thief = await registerClient(server, ruth)
  const { refresh_token, access_token } = await getTokens(server, ruth, client)
  expect((await tokensOf(await refresh(server, thief, refresh_token))).error).toBe('invalid_grant')
  const open = await registerClient(server, ruth, { public: true })
  expect((await tokensOf(await refresh(server, open, refresh_token))).error).toBe('invalid_grant')
  expect(await worksAt(server, access_token)).toBe(true)
  expect((await refresh(server, client, refresh_token)).status).toBe(200)
})

test('A refresh token is used as an access token, and an access token as a refresh token', async () => {
  const signedIn = await login(server, ruth)
  const authorized = await getTokens(server, ruth, client)
  for (const token of [signedIn.refreshToken, authorized.refresh_token]) {
    expect((await tryToken(server, token)).status).toBe(401)
    const answer = await call(server, 'GET /api/v1/user/profile', { as: { 'x-api-key': token } })
    expect(answer.status).toBe(401)
  }
  for (const token of [signedIn.token, authorized.access_token]) {
    expect([400, 401]).toContain((await renew(token)).status)
    expect((await refresh(server, client, token)).status).toBe(400)
  }
})

test('A refresh token is sent to the other endpoint that accepts one', async () => {
  const signedIn = await login(server, ruth)
  const authorized = await getTokens(server, ruth, client)
  expect((await refresh(server, client, signedIn.refreshToken)).status).toBe(400)
  expect((await renew(authorized.refresh_token)).status).toBe(401)
  expect((await tryToken(server, signedIn.token)).status).toBe(200)
  expect((await tryToken(server, authorized.access_token)).status).toBe(200)
})

test('A refresh token requests more scopes than it was granted', async () => {
  const { refresh_token } = await getTokens(server, ruth, client, { scope: 'models.read' })
  for (const scope of ['models.read models.generate', 'models.generate', 'tours.manage', 'openid', '*']) {
    const answer = await refresh(server, client, refresh_token, { scope })
    expect([answer.status, (await tokensOf(answer)).error], scope).toEqual([400, 'invalid_scope'])
  }
  const narrowed = await tokensOf(await refresh(server, client, refresh_token))
  expect(narrowed.scope).toBe('models.read')
})

test('A refresh token is used after its account was disabled or deleted', async () => {
  const admin = await addPerson(server, { roles: ['administrator'] })
  const as = { cookie: admin.session.cookie, 'x-csrf-token': admin.session.csrfToken }
  for (const end of ['disabled', 'deleted'] as const) {
    const person = await addPerson(server)
    const signedIn = await login(server, person)
    const authorized = await getTokens(server, person, client)
    const path = `/api/v1/users/${person.id}` as const
    if (end === 'disabled') await call(server, `PATCH ${path}`, { as, body: { disabled: true } })
    else await call(server, `DELETE ${path}`, { as })
    expect((await renew(signedIn.refreshToken)).status, end).toBe(401)
    expect((await refresh(server, client, authorized.refresh_token)).status, end).toBe(400)
    for (const token of [signedIn.token, authorized.access_token]) {
      expect((await tryToken(server, token)).status, end).toBe(401)
      await expect.poll(() => worksAt(replica, token)).toBe(false)
    }
  }
})

test('A signed-out program keeps using its tokens', async () => {
  const { token, refreshToken } = await login(server, ruth)
  expect((await call(server, 'POST /api/v1/auth/logout', { as: bearer(token) })).status).toBe(204)
  expect((await tryToken(server, token)).status).toBe(401)
  expect((await renew(refreshToken)).status).toBe(401)
  await expect.poll(() => worksAt(replica, token)).toBe(false)
  const { access_token, refresh_token } = await getTokens(server, ruth, client)
  await sendForm(server, '/oauth/revoke', { token: access_token, ...proofOf(client) })
  expect(await worksAt(server, access_token)).toBe(false)
  expect((await refresh(server, client, refresh_token)).status).toBe(400)
  await expect.poll(() => worksAt(replica, access_token)).toBe(false)
})
