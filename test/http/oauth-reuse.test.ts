import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  eventsOf,
  type IdentityServer,
  shareIdentityServer,
  startIdentityServerOn,
} from './identity-server.ts'
import {
  addPerson,
  callAs,
  getCode,
  getTokens,
  makePkce,
  redeem,
  refresh,
  registerClient,
  tokensOf,
  worksAt,
} from './oauth-support.ts'
import type { Person } from './oauth-visitor.ts'

let server: IdentityServer
let anna: Person
beforeAll(async () => {
  server = await shareIdentityServer()
  anna = await addPerson(server)
})
afterAll(() => server[Symbol.asyncDispose]())

async function countEvents(type: string, clientId: string): Promise<number> {
  const events = await eventsOf(server, type)
  return events.filter(({ data }) => data['client_id'] === clientId).length
}

describe('a code', () => {
  test('is redeemed by exactly one of ten concurrent requests', async () => {
    const client = await registerClient(server, anna)
    const code = await getCode(server, anna, client)
    const answers = await Promise.all(Array.from({ length: 10 }, () => redeem(server, client, code)))
    const refused = answers.filter(({ status }) => status === 400)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(refused).toHaveLength(9)
    for (const answer of refused) expect((await tokensOf(answer)).error).toBe('invalid_grant')
    expect(await countEvents('identity.authorization_code_replayed', client.client_id)).toBe(1)
  })

  test('that is replayed revokes its tokens', async () => {
    const client = await registerClient(server, anna)
    const code = await getCode(server, anna, client)
    const first = await tokensOf(await redeem(server, client, code))
    const second = await tokensOf(await refresh(server, client, first.refresh_token))
    expect(await worksAt(server, second.access_token)).toBe(true)

    const replay = await redeem(server, client, code)
    expect(replay.status).toBe(400)
    expect((await tokensOf(replay)).error).toBe('invalid_grant')
    expect(await worksAt(server, first.access_token)).toBe(false)
    expect(await worksAt(server, second.access_token)).toBe(false)
    expect((await refresh(server, client, second.refresh_token)).status).toBe(400)
    const [event] = (await eventsOf(server, 'identity.authorization_code_replayed')).slice(-1)
    expect(event).toMatchObject({ subject: anna.id, account: anna.id, data: { client_id: client.client_id } })
  })

  test('that is replayed after its expiry still counts as a replay', async () => {
    const client = await registerClient(server, anna)
    const code = await getCode(server, anna, client)
    const tokens = await tokensOf(await redeem(server, client, code))
    await server.database.query(
      `
        update identity_oauth_records
        set payload = payload || jsonb_build_object('exp', extract(epoch from now())::integer - 60)
        where model = 'AuthorizationCode' and client_id = $1
      `,
      [client.client_id],
    )
    expect((await redeem(server, client, code)).status).toBe(400)
    expect(await worksAt(server, tokens.access_token)).toBe(false)
  })

  test('expires after a minute', async () => {
    const client = await registerClient(server, anna)
    const code = await getCode(server, anna, client)
    const [stored] = await server.database.query<{ seconds: number }>(
      `
        select extract(epoch from expires_at - created_at)::float8 as seconds from identity_oauth_records
        where model = 'AuthorizationCode' and client_id = $1
      `,
      [client.client_id],
    )
    expect(stored?.seconds).toBe(60)
    await server.database.query(
      `update identity_oauth_records set expires_at = now() where model = 'AuthorizationCode' and client_id = $1`,
      [client.client_id],
    )
    expect((await tokensOf(await redeem(server, client, code))).error).toBe('invalid_grant')
  })

  test('is refused for another client, and stays valid for its own', async () => {
    const client = await registerClient(server, anna)
    const thief = await registerClient(server, anna)
    const code = await getCode(server, anna, client)
    expect((await tokensOf(await redeem(server, thief, code))).error).toBe('invalid_grant')
    const tokens = await tokensOf(await redeem(server, client, code))
    expect((await tokensOf(await redeem(server, thief, code))).error).toBe('invalid_grant')
    expect(await worksAt(server, tokens.access_token)).toBe(true)
  })

  test('requires the verifier of its challenge', async () => {
    const client = await registerClient(server, anna)
    const { verifier, challenge } = makePkce()
    const asked = { code_challenge: challenge, code_challenge_method: 'S256' }
    const code = await getCode(server, anna, client, asked)
    expect((await tokensOf(await redeem(server, client, code))).error).toBe('invalid_grant')
    const other = { code_verifier: makePkce().verifier }
    expect((await tokensOf(await redeem(server, client, code, other))).error).toBe('invalid_grant')
    expect((await redeem(server, client, code, { code_verifier: verifier })).status).toBe(200)
  })

  test('without a challenge is refused with a verifier', async () => {
    const client = await registerClient(server, anna)
    const code = await getCode(server, anna, client)
    const answer = await redeem(server, client, code, { code_verifier: makePkce().verifier })
    expect((await tokensOf(answer)).error).toBe('invalid_grant')
  })

  test('is bound to its redirect_uri', async () => {
    const redirect_uris = ['https://app.example/callback', 'https://app.example/other']
    const client = await registerClient(server, anna, { redirect_uris })
    const code = await getCode(server, anna, client)
    const elsewhere = await redeem(server, client, code, { redirect_uri: 'https://app.example/other' })
    expect((await tokensOf(elsewhere)).error).toBe('invalid_grant')
  })
})

describe('a refresh token', () => {
  test('that is reused revokes its whole family, once', async () => {
    const client = await registerClient(server, anna)
    const first = await getTokens(server, anna, client)
    const second = await tokensOf(await refresh(server, client, first.refresh_token))
    const reuse = await refresh(server, client, first.refresh_token)
    expect((await tokensOf(reuse)).error).toBe('invalid_grant')
    expect(await worksAt(server, second.access_token)).toBe(false)
    expect((await tokensOf(await refresh(server, client, second.refresh_token))).error).toBe('invalid_grant')
    expect(await countEvents('identity.refresh_token_reused', client.client_id)).toBe(1)
  })

  test('is used by exactly one of ten concurrent requests', async () => {
    const client = await registerClient(server, anna)
    const { refresh_token } = await getTokens(server, anna, client)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => refresh(server, client, refresh_token)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('of one authorization does not affect the others of the same application', async () => {
    const client = await registerClient(server, anna)
    const phone = await getTokens(server, anna, client)
    const laptop = await getTokens(server, anna, client)
    await refresh(server, client, phone.refresh_token)
    await refresh(server, client, phone.refresh_token)
    expect(await worksAt(server, phone.access_token)).toBe(false)
    expect(await worksAt(server, laptop.access_token)).toBe(true)
    expect((await refresh(server, client, laptop.refresh_token)).status).toBe(200)
  })

  test('of another client is refused', async () => {
    const client = await registerClient(server, anna)
    const thief = await registerClient(server, anna)
    const tokens = await getTokens(server, anna, client)
    expect((await tokensOf(await refresh(server, thief, tokens.refresh_token))).error).toBe('invalid_grant')
    expect(await worksAt(server, tokens.access_token)).toBe(true)
  })

  test('has only the granted scopes', async () => {
    const client = await registerClient(server, anna)
    const tokens = await getTokens(server, anna, client, { scope: 'models.read' })
    const wider = await refresh(server, client, tokens.refresh_token, {
      scope: 'models.read models.generate',
    })
    expect((await tokensOf(wider)).error).toBe('invalid_scope')
    expect((await refresh(server, client, tokens.refresh_token)).status).toBe(200)
  })

  test('loses scopes that its client no longer has', async () => {
    const client = await registerClient(server, anna)
    const tokens = await getTokens(server, anna, client)
    await callAs(server, anna, 'PATCH', `/api/v1/oauth-clients/${client.client_id}`, {
      scopes: ['models.read'],
    })
    expect((await tokensOf(await refresh(server, client, tokens.refresh_token))).scope).toBe('models.read')
  })

  test('of a disabled account is refused', async () => {
    const bruno = await addPerson(server)
    const client = await registerClient(server, anna)
    const tokens = await getTokens(server, bruno, client)
    await server.database.query('update identity_users set disabled_at = now() where id = $1', [bruno.id])
    expect((await tokensOf(await refresh(server, client, tokens.refresh_token))).error).toBe('invalid_grant')
  })

  test('may be reused once within the configured grace period', async () => {
    await using lenient = await startIdentityServerOn(server.database, { TUTTI_REFRESH_GRACE: '1m' })
    const client = await registerClient(server, anna)
    const { refresh_token } = await getTokens(lenient, anna, client)
    const [first, second] = await Promise.all([
      refresh(lenient, client, refresh_token),
      refresh(lenient, client, refresh_token),
    ])
    expect([first.status, second.status]).toEqual([200, 200])
    expect(await worksAt(lenient, (await tokensOf(first)).access_token)).toBe(true)
    await server.database.query(
      `update identity_oauth_records set consumed_at = now() - interval '2 minutes' where consumed_at is not null`,
    )
    expect((await refresh(lenient, client, refresh_token)).status).toBe(400)
    expect(await worksAt(lenient, (await tokensOf(second)).access_token)).toBe(false)
  })
})

test('no token of a client or a browser is stored in plain text', async () => {
  const client = await registerClient(server, anna)
  const code = await getCode(server, anna, client)
  const tokens = await tokensOf(await redeem(server, client, code))
  const rows = await server.database.query<{ text: string }>(`
    select record::text as text from identity_oauth_records as record
    union all
    select client::text from identity_oauth_clients as client
  `)
  const everything = rows.map(({ text }) => text).join('\n')
  expect(everything).toContain(client.client_id)
  for (const secret of [code, tokens.refresh_token, tokens.access_token, client.client_secret]) {
    expect(secret.length).toBeGreaterThanOrEqual(43)
    expect(everything).not.toContain(secret)
  }
})
