import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventsOf, type IdentityServer, shareIdentityServer } from './identity-server.ts'
import {
  addPerson,
  authorize,
  authorizeUrl,
  callAs,
  decide,
  follow,
  getTokens,
  makePkce,
  refresh,
  registerClient,
  tokensOf,
  worksAt,
} from './oauth-support.ts'
import { locationOf, type Person, Visitor } from './oauth-visitor.ts'

let server: IdentityServer
let owner: Person
beforeAll(async () => {
  server = await shareIdentityServer()
  owner = await addPerson(server)
})
afterAll(() => server[Symbol.asyncDispose]())

interface Authorization {
  readonly id: string
  readonly client_id: string
  readonly client_name: string
  readonly scopes: readonly string[]
  readonly created_at: string
  readonly last_used_at: string | null
}

async function authorizationsOf(
  person: Person,
  query = '',
): Promise<{ data: Authorization[]; total: number }> {
  const answer = await callAs(server, person, 'GET', `/api/v1/authorizations${query}`)
  return (await answer.json()) as { data: Authorization[]; total: number }
}

describe('the consent page', () => {
  test('shows the application, its scopes, the redirect host and the account', async () => {
    const person = await addPerson(server)
    const client = await registerClient(server, owner, { name: 'Score <b>reader</b>' })
    const page = await follow(new Visitor(server, person), authorizeUrl(server, client))
    expect(page.status).toBe(200)
    const text = await page.text()
    expect(text).toContain('Allow Score &lt;b&gt;reader&lt;/b&gt; to use your account?')
    expect(text).toContain('<strong>app.example</strong>')
    expect(text).toContain('List the available models')
    expect(text).toContain('Use models to generate text, on your account')
    expect(text).toContain('See your username, e-mail address and roles')
    expect(text).toContain(`Signed in as <strong>${person.username}</strong>`)
    expect(text).toMatch(/<button[^>]* name="decision" value="approve">/)
    expect(text).toMatch(/<button[^>]* name="decision" value="deny">/)
    const policy = page.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("form-action 'self' https://app.example;")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect(page.headers.get('cache-control')).toBe('no-store')
  })

  test('is skipped for granted scopes, and shown for new ones', async () => {
    const person = await addPerson(server)
    const client = await registerClient(server, owner)
    const visitor = new Visitor(server, person)
    await decide(
      visitor,
      await follow(visitor, authorizeUrl(server, client, { scope: 'models.read' })),
      'approve',
    )

    const again = await follow(visitor, authorizeUrl(server, client, { scope: 'models.read' }))
    expect(locationOf(again).searchParams.has('code')).toBe(true)
    const silent = await follow(
      visitor,
      authorizeUrl(server, client, { scope: 'models.read', prompt: 'none' }),
    )
    expect(locationOf(silent).searchParams.has('code')).toBe(true)

    const more = await follow(visitor, authorizeUrl(server, client))
    const text = await more.clone().text()
    expect(text).toContain('It now also wants to')
    expect(text).toContain('Already allowed')
    await decide(visitor, more, 'approve')
    expect((await authorizationsOf(person)).data).toMatchObject([
      { scopes: ['models.generate', 'models.read'] },
    ])
    expect((await follow(visitor, authorizeUrl(server, client))).status).toBe(303)
  })

  test('is shown again when the application requests it', async () => {
    const person = await addPerson(server)
    const client = await registerClient(server, owner)
    await authorize(server, person, client)
    const visitor = new Visitor(server, person)
    const page = await follow(visitor, authorizeUrl(server, client, { prompt: 'consent' }))
    expect(page.status).toBe(200)
    expect(locationOf(await decide(visitor, page, 'approve')).searchParams.has('code')).toBe(true)
  })

  test('is shown each time for a custom scheme', async () => {
    const person = await addPerson(server)
    const client = await registerClient(server, owner, {
      public: true,
      redirect_uris: ['com.example.app:/signed-in'],
    })
    const { challenge } = makePkce()
    const asked = { code_challenge: challenge, code_challenge_method: 'S256' }
    for (let round = 0; round < 2; round += 1) {
      const visitor = new Visitor(server, person)
      const page = await follow(visitor, authorizeUrl(server, client, asked))
      expect(page.status).toBe(200)
      expect(page.headers.get('content-security-policy')).toContain("form-action 'self' com.example.app:;")
      expect(await page.clone().text()).toContain('the application com.example.app on this device')
      const landed = locationOf(await decide(visitor, page, 'approve'))
      expect(landed.href).toMatch(/^com\.example\.app:\/signed-in\?code=/)
    }
  })

  test('is shown each time for a local port, to a public client', async () => {
    const person = await addPerson(server)
    const redirect_uris = ['http://127.0.0.1:4000/callback']
    const { challenge } = makePkce()
    const asked = { code_challenge: challenge, code_challenge_method: 'S256' }
    const askTwice = async (isPublic: boolean) => {
      const client = await registerClient(server, owner, { public: isPublic, redirect_uris })
      const visitor = new Visitor(server, person)
      await decide(visitor, await follow(visitor, authorizeUrl(server, client, asked)), 'approve')
      return (await follow(new Visitor(server, person), authorizeUrl(server, client, asked))).status
    }
    expect(await askTwice(true)).toBe(200)
    expect(await askTwice(false)).toBe(303)
  })

  test('sends a denial back to the application, and stores nothing', async () => {
    const person = await addPerson(server)
    const client = await registerClient(server, owner)
    const visitor = new Visitor(server, person)
    const page = await follow(visitor, authorizeUrl(server, client, { state: 'here' }))
    const landed = locationOf(await decide(visitor, page, 'deny'))
    expect(landed.origin + landed.pathname).toBe('https://app.example/callback')
    expect(landed.searchParams.get('error')).toBe('access_denied')
    expect(landed.searchParams.get('state')).toBe('here')
    expect(landed.searchParams.get('iss')).toBe(server.url)
    expect((await authorizationsOf(person)).total).toBe(0)
    const [event] = (await eventsOf(server, 'identity.consent_refused')).slice(-1)
    expect(event).toMatchObject({ subject: client.client_id, account: person.id })
  })

  test.each(['', 'wrong', 'of another session'])('refuses a submission with the token %j', async (token) => {
    const person = await addPerson(server)
    const other = await addPerson(server)
    const client = await registerClient(server, owner)
    const visitor = new Visitor(server, person)
    const page = await follow(visitor, authorizeUrl(server, client))
    const sent = token === 'of another session' ? other.session.csrfToken : token
    expect((await decide(visitor, page, 'approve', sent)).status).toBe(403)
    expect((await authorizationsOf(person)).total).toBe(0)
  })

  test('accepts one submission', async () => {
    const person = await addPerson(server)
    const client = await registerClient(server, owner)
    const visitor = new Visitor(server, person)
    const page = await follow(visitor, authorizeUrl(server, client))
    expect((await decide(visitor, page.clone(), 'approve')).status).toBe(303)
    const second = await decide(visitor, page, 'approve')
    expect(second.status).toBe(400)
    expect(await second.text()).toContain('This request has expired')
  })

  test('of an expired request reports it', async () => {
    const person = await addPerson(server)
    const client = await registerClient(server, owner)
    const visitor = new Visitor(server, person)
    const page = await follow(visitor, authorizeUrl(server, client))
    await server.database.query(
      `update identity_oauth_records set expires_at = now() where model = 'Interaction'`,
    )
    expect((await decide(visitor, page, 'approve')).status).toBe(400)
    for (const path of ['/oauth/consent/unknown', '/oauth/authorize/unknown']) {
      const answer = await visitor.get(path)
      expect(answer.status).toBe(400)
      expect(await answer.text()).toContain('This request has expired')
    }
  })

  test('is shown again to a user who signed in meanwhile, without the earlier consent', async () => {
    const first = await addPerson(server)
    const second = await addPerson(server)
    const client = await registerClient(server, owner)
    const visitor = new Visitor(server, first)
    const page = await follow(visitor, authorizeUrl(server, client))
    visitor.become(second)
    const put = await follow(visitor, page.url)
    expect(await put.text()).toContain(`Signed in as <strong>${second.username}</strong>`)
    // A submission of the first does not count for the second.
    const answer = await decide(visitor, page, 'approve')
    expect(answer.status).toBe(200)
    expect((await authorizationsOf(second)).total).toBe(0)
    expect((await authorizationsOf(first)).total).toBe(0)
  })

  test('does not continue for another user after its submission', async () => {
    const first = await addPerson(server)
    const second = await addPerson(server)
    const client = await registerClient(server, owner)
    const visitor = new Visitor(server, first)
    const page = await follow(visitor, authorizeUrl(server, client))
    const text = await page.text()
    const action = /action="(\/oauth\/consent\/[^"/]+)"/.exec(text)?.[1] ?? ''
    const approved = await visitor.post(action, { decision: 'approve', csrf_token: first.session.csrfToken })
    visitor.become(second)
    const answer = await visitor.get(locationOf(approved).href)
    expect(answer.status).toBe(400)
    expect(answer.headers.get('location')).toBeNull()
  })

  test('lets a user switch accounts and come back', async () => {
    const person = await addPerson(server)
    const client = await registerClient(server, owner)
    const visitor = new Visitor(server, person)
    const page = await follow(visitor, authorizeUrl(server, client, { state: 'kept' }))
    const text = await page.text()
    const action = /action="(\/oauth\/consent\/[^"]+\/another-account)"/.exec(text)?.[1] ?? ''
    expect((await visitor.post(action, { csrf_token: 'wrong' })).status).toBe(403)
    const answer = await visitor.post(action, { csrf_token: person.session.csrfToken })
    const login = locationOf(answer)
    expect(login.pathname).toBe('/user/login')
    expect(login.searchParams.get('destination')).toMatch(/^\/oauth\/continue\?.*state=kept/)
    expect((await callAs(server, person, 'GET', '/api/v1/authorizations')).status).toBe(401)
  })
})

describe('authorized applications of an account', () => {
  test('are listed with their scopes and their last token', async () => {
    const person = await addPerson(server)
    const one = await registerClient(server, owner, { name: 'One' })
    const two = await registerClient(server, owner, { name: 'Two' })
    await authorize(server, person, one, { scope: 'models.read' })
    await getTokens(server, person, two)
    const { data, total } = await authorizationsOf(person)
    expect(total).toBe(2)
    expect(data).toEqual([
      {
        id: expect.any(String) as string,
        client_id: one.client_id,
        client_name: 'One',
        scopes: ['models.read'],
        created_at: expect.any(String) as string,
        last_used_at: null,
      },
      {
        id: expect.any(String) as string,
        client_id: two.client_id,
        client_name: 'Two',
        scopes: expect.arrayContaining(['models.read', 'models.generate']) as string[],
        created_at: expect.any(String) as string,
        last_used_at: expect.any(String) as string,
      },
    ])
    expect((await authorizationsOf(person, '?limit=1&page=2')).data).toMatchObject([{ client_name: 'Two' }])
  })

  test('are revoked at once, and have to request consent again', async () => {
    const person = await addPerson(server)
    const client = await registerClient(server, owner)
    const tokens = await getTokens(server, person, client)
    const { data } = await authorizationsOf(person)
    const path = `/api/v1/authorizations/${data[0]?.id}`
    const stranger = await addPerson(server)
    expect((await callAs(server, stranger, 'DELETE', path)).status).toBe(404)
    expect(await worksAt(server, tokens.access_token)).toBe(true)

    expect((await callAs(server, person, 'DELETE', path)).status).toBe(204)
    expect(await worksAt(server, tokens.access_token)).toBe(false)
    expect((await tokensOf(await refresh(server, client, tokens.refresh_token))).error).toBe('invalid_grant')
    expect((await follow(new Visitor(server, person), authorizeUrl(server, client))).status).toBe(200)
    expect((await callAs(server, person, 'DELETE', path)).status).toBe(404)
    const [event] = (await eventsOf(server, 'identity.consent_withdrawn')).slice(-1)
    expect(event).toMatchObject({ subject: client.client_id, account: person.id })
  })

  test('cannot be read or changed with tokens of applications', async () => {
    const person = await addPerson(server)
    const client = await registerClient(server, owner)
    const { access_token } = await getTokens(server, person, client)
    const headers = { authorization: `Bearer ${access_token}` }
    const answer = await fetch(`${server.url}/api/v1/authorizations`, { headers })
    expect(answer.status).toBe(403)
  })
})
