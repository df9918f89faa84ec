import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IdentityServer, startIdentityServer, startIdentityServerOn } from '../http/identity-server.ts'
import {
  addPerson,
  authorizeUrl,
  callAs,
  getCode,
  makePkce,
  type RegisteredClient,
  redeem,
  refresh,
  registerClient,
  sendForm,
  tokensOf,
  tryToken,
  worksAt,
} from '../http/oauth-support.ts'
import { locationOf, type Person, Visitor } from '../http/oauth-visitor.ts'
import { untilCalm } from './until-calm.ts'

let server: IdentityServer
let replica: IdentityServer
let nadia: Person
let client: RegisteredClient
let publicClient: RegisteredClient

beforeAll(async () => {
  server = await startIdentityServer()
  replica = await startIdentityServerOn(server.database)
  await untilCalm(server, replica)
  nadia = await addPerson(server)
  client = await registerClient(server, nadia)
  publicClient = await registerClient(server, nadia, { public: true })
})
afterAll(async () => {
  await replica[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

async function expectInvalidGrant(answer: Response, why: string): Promise<void> {
  expect([answer.status, (await tokensOf(answer)).error], why).toEqual([400, 'invalid_grant'])
}

async function refusedAtAuthorize(
  asked: Readonly<Record<string, string>>,
  of: RegisteredClient,
): Promise<string | null> {
  const answer = await new Visitor(server, nadia).get(authorizeUrl(server, of, asked))
  const { searchParams } = locationOf(answer)
  expect(searchParams.get('code')).toBeNull()
  return searchParams.get('error')
}

const s256 = (challenge: string) => ({ code_challenge: challenge, code_challenge_method: 'S256' })

test('A code is redeemed a second time', async () => {
  const code = await getCode(server, nadia, client)
  const first = await tokensOf(await redeem(server, client, code))
  const second = await tokensOf(await refresh(server, client, first.refresh_token))
  await expectInvalidGrant(await redeem(server, client, code), 'the replay')
  expect(await worksAt(server, first.access_token)).toBe(false)
  expect(await worksAt(server, second.access_token)).toBe(false)
  await expectInvalidGrant(await refresh(server, client, second.refresh_token), 'what it had issued')
})

test('Ten clients redeem one code concurrently, at two replicas', async () => {
  const code = await getCode(server, nadia, client)
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => redeem(index % 2 === 0 ? server : replica, client, code)),
  )
  const [winner, ...others] = answers.filter(({ status }) => status === 200)
  expect(others).toEqual([])
  if (winner === undefined) throw new Error('no client redeemed the code')
  const { access_token } = await tokensOf(winner)
  for (const at of [server, replica]) await expect.poll(() => worksAt(at, access_token)).toBe(false)
})

test('A client redeems the code of another client', async () => {
  const thief = await registerClient(server, nadia)
  const code = await getCode(server, nadia, client)
  await expectInvalidGrant(await redeem(server, thief, code), 'the thief')
  const mixed = { client_id: client.client_id, client_secret: thief.client_secret }
  expect((await redeem(server, client, code, mixed)).status).toBe(401)
  expect((await redeem(server, client, code)).status).toBe(200)
})

test('A code is redeemed with another redirect_uri, or with none', async () => {
  const both = ['https://app.example/callback', 'https://app.example/other']
  const two = await registerClient(server, nadia, { redirect_uris: both })
  const code = await getCode(server, nadia, two)
  for (const redirect_uri of [both[1] ?? '', 'https://app.example/callback/', 'https://evil.example/', '']) {
    const answer = await redeem(server, two, code, { redirect_uri })
    expect(answer.status, redirect_uri).toBe(400)
    expect(['invalid_grant', 'invalid_request']).toContain((await tokensOf(answer)).error)
  }
})

test('A code is used as an access token', async () => {
  const code = await getCode(server, nadia, client)
  expect((await tryToken(server, code)).status).toBe(401)
})

test('A code is redeemed after the user revoked the application', async () => {
  const own = await registerClient(server, nadia)
  const code = await getCode(server, nadia, own)
  const listed = await callAs(server, nadia, 'GET', '/api/v1/authorizations?limit=200')
  const { data } = (await listed.json()) as { data: { id: string; client_id: string }[] }
  const id = data.find(({ client_id }) => client_id === own.client_id)?.id ?? ''
  expect((await callAs(server, nadia, 'DELETE', `/api/v1/authorizations/${id}`)).status).toBe(204)
  await expectInvalidGrant(await redeem(server, own, code), 'the code')
})

test('A public client omits PKCE', async () => {
  expect(await refusedAtAuthorize({}, publicClient)).toBe('invalid_request')
})

test('PKCE is downgraded to plain, by name or by omitting the method', async () => {
  const { challenge } = makePkce()
  for (const each of [client, publicClient]) {
    for (const method of ['plain', 'PLAIN', 's256', 'S512', '']) {
      const asked = { code_challenge: challenge, code_challenge_method: method }
      expect(await refusedAtAuthorize(asked, each), method).toBe('invalid_request')
    }
    expect(await refusedAtAuthorize({ code_challenge: challenge }, each)).toBe('invalid_request')
  }
})

test('A code is redeemed with a wrong verifier, or with its challenge', async () => {
  const { verifier, challenge } = makePkce()
  const code = await getCode(server, nadia, publicClient, s256(challenge))
  const last = verifier.endsWith('A') ? 'B' : 'A'
  for (const guess of [makePkce().verifier, challenge, verifier.slice(0, -1) + last, `${verifier}A`]) {
    await expectInvalidGrant(await redeem(server, publicClient, code, { code_verifier: guess }), guess)
  }
})

test('A code is redeemed with the verifier of another flow', async () => {
  const [mine, theirs] = [makePkce(), makePkce()]
  const stolen = await getCode(server, nadia, publicClient, s256(theirs.challenge))
  await getCode(server, nadia, publicClient, s256(mine.challenge))
  const fields = { code_verifier: mine.verifier }
  await expectInvalidGrant(await redeem(server, publicClient, stolen, fields), 'the injected code')
})

test('A code that has a challenge is redeemed without a verifier', async () => {
  for (const each of [client, publicClient]) {
    const code = await getCode(server, nadia, each, s256(makePkce().challenge))
    await expectInvalidGrant(await redeem(server, each, code), each.client_id)
  }
})

test('A code that has no challenge is redeemed with a verifier', async () => {
  const code = await getCode(server, nadia, client)
  const fields = { code_verifier: makePkce().verifier }
  await expectInvalidGrant(await redeem(server, client, code, fields), 'stripped of its challenge')
})

test('A code is redeemed by a confidential client without its secret', async () => {
  const code = await getCode(server, nadia, client)
  const answer = await sendForm(server, '/oauth/token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.redirect_uris[0] ?? '',
    client_id: client.client_id,
  })
  expect([answer.status, (await tokensOf(answer)).error]).toEqual([401, 'invalid_client'])
})
