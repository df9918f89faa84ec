import { decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { type IdentityServer, startIdentityServerOn } from './identity-server.ts'
import {
  addPerson,
  authorizeUrl,
  callAs,
  decide,
  follow,
  getClientToken,
  getCode,
  getTokens,
  proofOf,
  redeem,
  refresh,
  registerClient,
  sendForm,
  tokensOf,
  worksAt,
} from './oauth-support.ts'
import { locationOf, type Person, Visitor } from './oauth-visitor.ts'

let database: TestDatabase
let here: IdentityServer
let there: IdentityServer
let person: Person

/** Behind one address, as a balancer in front of both would have it. */
const environment = { TUTTI_PUBLIC_URL: 'https://tutti.example', TUTTI_SIGNING_KEY_DAYS: '1' }

beforeAll(async () => {
  database = await createTestDatabase()
  here = await startIdentityServerOn(database, environment)
  there = await startIdentityServerOn(database, environment)
  person = await addPerson(here)
})
afterAll(async () => {
  await here[Symbol.asyncDispose]()
  await there[Symbol.asyncDispose]()
  await database.close()
})

describe('two replicas on one database', () => {
  test('share an authorization from its first step to its last', async () => {
    const client = await registerClient(here, person)
    const visitor = new Visitor(here, person)
    const asked = await visitor.get(authorizeUrl(here, client))
    const page = await visitor.get(`${there.url}${locationOf(asked).pathname}`)
    const text = await page.text()
    const action = /action="(\/oauth\/consent\/[^"/]+)"/.exec(text)?.[1] ?? ''
    const agreed = await visitor.post(`${here.url}${action}`, {
      decision: 'approve',
      csrf_token: person.session.csrfToken,
    })
    const landed = locationOf(await visitor.get(`${there.url}${locationOf(agreed).pathname}`))
    expect(landed.searchParams.get('iss')).toBe('https://tutti.example')
    const tokens = await tokensOf(await redeem(here, client, landed.searchParams.get('code') ?? ''))
    expect(await worksAt(there, tokens.access_token)).toBe(true)
    expect((await refresh(there, client, tokens.refresh_token)).status).toBe(200)
  })

  test('redeem a code once between them', async () => {
    const client = await registerClient(here, person)
    const code = await getCode(here, person, client)
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => redeem(index % 2 === 0 ? here : there, client, code)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const winner = answers.find(({ status }) => status === 200)
    const { access_token } = await tokensOf(winner ?? Response.json({}))
    // The others replayed it, which revokes its tokens everywhere.
    await expect.poll(() => worksAt(here, access_token)).toBe(false)
    await expect.poll(() => worksAt(there, access_token)).toBe(false)
  })

  test('refuse tokens that were revoked at the other', async () => {
    const client = await registerClient(here, person)
    const tokens = await getTokens(here, person, client)
    expect(await worksAt(there, tokens.access_token)).toBe(true)
    await sendForm(here, '/oauth/revoke', { token: tokens.refresh_token, ...proofOf(client) })
    await expect.poll(() => worksAt(there, tokens.access_token)).toBe(false)
  })

  test('know of client changes made at the other', async () => {
    const client = await registerClient(here, person)
    expect((await getClientToken(there, client)).status).toBe(200)
    await callAs(here, person, 'POST', `/api/v1/oauth-clients/${client.client_id}/secret`)
    // Sooner than the cache would expire.
    await expect
      .poll(async () => (await getClientToken(there, client)).status, { timeout: 8000, interval: 250 })
      .toBe(401)
  })

  test('sign with a new key while they run, and old tokens stay valid', async () => {
    const client = await registerClient(here, person)
    const old = await tokensOf(await getClientToken(here, client))
    const { kid } = decodeProtectedHeader(old.access_token)
    await database.query(`update identity_signing_keys set created_at = now() - interval '2 days'`)
    await here.identity.cleanUp.run()
    // It is published ten minutes before it signs; ten minutes pass.
    await database.query('update identity_signing_keys set signs_from = now() where signs_from > now()')
    for (const replica of [here, there]) {
      await expect
        .poll(
          async () => {
            const { access_token } = await tokensOf(await getClientToken(replica, client))
            return decodeProtectedHeader(access_token).kid
          },
          // A client gets sixty tokens a minute.
          { interval: 1000 },
        )
        .not.toBe(kid)
    }
    const fresh = await tokensOf(await getClientToken(here, client))
    for (const replica of [here, there]) {
      expect(await worksAt(replica, old.access_token)).toBe(true)
      expect(await worksAt(replica, fresh.access_token)).toBe(true)
    }
    const page = await follow(new Visitor(here, person), authorizeUrl(here, client))
    expect(page.status).toBe(200)
  })
})

test('an authorization continues after a key rotation', async () => {
  const client = await registerClient(here, person)
  const visitor = new Visitor(here, person)
  const page = await follow(visitor, authorizeUrl(here, client))
  await database.query(`update identity_signing_keys set created_at = now() - interval '2 days'`)
  await there.identity.cleanUp.run()
  await database.query('update identity_signing_keys set signs_from = now() where signs_from > now()')
  const landed = locationOf(await decide(visitor, page, 'approve'))
  const answer = await redeem(there, client, landed.searchParams.get('code') ?? '')
  expect(answer.status).toBe(200)
  await expect.poll(async () => worksAt(here, (await tokensOf(answer.clone())).access_token)).toBe(true)
})

test('on https the authorization cookie is Secure', async () => {
  const client = await registerClient(here, person)
  const answer = await new Visitor(here, person).get(authorizeUrl(here, client))
  const cookies = answer.headers.getSetCookie()
  expect(cookies).toHaveLength(1)
  expect(cookies[0]).toMatch(/^tutti_authorization=[\w-]+; path=\/oauth\/authorize\/[\w-]+; /)
  for (const attribute of ['secure', 'httponly', 'samesite=lax']) {
    expect(cookies[0]?.toLowerCase().split('; ')).toContain(attribute)
  }
})
