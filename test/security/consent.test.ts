import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IdentityServer, shareIdentityServer } from '../http/identity-server.ts'
import {
  addPerson,
  authorizeUrl,
  callAs,
  decide,
  follow,
  type RegisteredClient,
  registerClient,
} from '../http/oauth-support.ts'
import { locationOf, type Person, Visitor } from '../http/oauth-visitor.ts'
import { untilCalm } from './until-calm.ts'

let server: IdentityServer
let victim: Person
let attacker: Person
let client: RegisteredClient

beforeAll(async () => {
  server = await shareIdentityServer()
  await untilCalm(server)
  victim = await addPerson(server)
  attacker = await addPerson(server)
})
afterAll(() => server[Symbol.asyncDispose]())

interface Question {
  readonly visitor: Visitor
  readonly page: Response
  readonly text: string
  readonly action: string
}

/** An open consent page of a user, for a client without any consent. */
async function openQuestion(person: Person): Promise<Question> {
  client = await registerClient(server, attacker)
  const visitor = new Visitor(server, person)
  const page = await follow(visitor, authorizeUrl(server, client))
  const text = await page.clone().text()
  const action = /action="(\/oauth\/consent\/[^"/]+)"/.exec(text)?.[1]
  if (action === undefined) throw new Error(`no consent page: ${text}`)
  return { visitor, page, text, action }
}

async function hasLetIn(person: Person): Promise<boolean> {
  const answer = await callAs(server, person, 'GET', '/api/v1/authorizations?limit=200')
  const { data } = (await answer.json()) as { data: { client_id: string }[] }
  return data.some(({ client_id }) => client_id === client.client_id)
}

test('Another site submits the consent form', async () => {
  const { visitor, action } = await openQuestion(victim)
  for (const token of ['', 'x', attacker.session.csrfToken]) {
    const answer = await visitor.post(action, { decision: 'approve', csrf_token: token })
    expect(answer.status, token).toBe(403)
  }
  const { csrfToken: csrf_token } = victim.session
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
    const answer = await fetch(server.url + action, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: victim.session.cookie, ...headers },
      body: new URLSearchParams({ decision: 'approve', csrf_token }),
    })
    expect(answer.status).toBe(403)
  }
  const inQuery = `${action}?decision=approve&csrf_token=${csrf_token}`
  expect((await visitor.post(inQuery, {})).status).toBe(403)
  expect(await hasLetIn(victim)).toBe(false)
})

test('A consent page is framed by another site (clickjacking)', async () => {
  const { page, action, visitor } = await openQuestion(victim)
  const signInPage = await fetch(`${server.url}/user/login`)
  const refusal = await visitor.get(authorizeUrl(server, client, { redirect_uri: 'https://evil.example/' }))
  const gone = await visitor.get(`${server.url}/oauth/consent/nothing`)
  for (const answer of [page, signInPage, refusal, gone, await visitor.get(server.url + action)]) {
    expect(answer.headers.get('x-frame-options')).toBe('DENY')
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("object-src 'none'")
    expect(policy).toContain("base-uri 'none'")
    expect(policy).not.toContain('unsafe')
    expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin')
  }
})

test('The account is switched between the consent page and its submission', async () => {
  const { visitor, action, page } = await openQuestion(attacker)
  visitor.become(victim)
  for (const token of [attacker.session.csrfToken, victim.session.csrfToken]) {
    const answer = await visitor.post(action, { decision: 'approve', csrf_token: token })
    // Shown again, to the user who is signed in now.
    expect(locationOf(answer).pathname).toBe('/oauth/authorize')
  }
  expect(await hasLetIn(victim)).toBe(false)
  visitor.become(attacker)
  const agreed = await decide(visitor, page, 'approve')
  expect(locationOf(agreed).searchParams.get('code')).not.toBeNull()
})

test('A consent form is submitted again, or by another user', async () => {
  const { visitor, action, page } = await openQuestion(attacker)
  const text = await page.text()
  const fields = { decision: 'approve', csrf_token: attacker.session.csrfToken }
  const answered = await visitor.post(action, fields)
  const onward = locationOf(answered).href
  const other = new Visitor(server, victim)
  const stolen = await other.get(onward)
  expect([stolen.status, stolen.headers.get('location')]).toEqual([400, null])
  const landed = await visitor.get(onward)
  expect(locationOf(landed).origin).toBe('https://app.example')
  for (const again of [await visitor.get(onward), await visitor.post(action, fields)]) {
    expect([again.status, again.headers.get('location')]).toEqual([400, null])
  }
  expect(text).toContain(client.redirect_uris[0]?.split('/')[2])
  expect(await hasLetIn(victim)).toBe(false)
})

test('A consent form is submitted without a decision', async () => {
  for (const decision of ['', 'Approve', 'approve ', 'yes', 'true', 'deny']) {
    const { visitor, action } = await openQuestion(victim)
    const sent = { decision, csrf_token: victim.session.csrfToken }
    const landed = locationOf(await follow(visitor, locationOf(await visitor.post(action, sent)).href))
    expect(landed.searchParams.get('error'), decision).toBe('access_denied')
    expect(landed.searchParams.get('code'), decision).toBeNull()
    expect(await hasLetIn(victim), decision).toBe(false)
  }
  const { action } = await openQuestion(victim)
  const twice = new URLSearchParams([
    ['decision', 'deny'],
    ['decision', 'approve'],
    ['csrf_token', victim.session.csrfToken],
  ])
  await fetch(server.url + action, {
    method: 'POST',
    redirect: 'manual',
    headers: { cookie: victim.session.cookie },
    body: twice,
  })
  expect(await hasLetIn(victim)).toBe(false)
})

test('Consent is skipped with prompt=none', async () => {
  client = await registerClient(server, attacker)
  const visitor = new Visitor(server, victim)
  const silent = locationOf(await visitor.get(authorizeUrl(server, client, { prompt: 'none' })))
  expect(silent.searchParams.get('error')).toBe('consent_required')
  const narrow = await follow(visitor, authorizeUrl(server, client, { scope: 'models.read' }))
  await decide(visitor, narrow, 'approve')
  const wider = locationOf(
    await visitor.get(authorizeUrl(server, client, { prompt: 'none', scope: 'models.read models.generate' })),
  )
  expect(wider.searchParams.get('error')).toBe('consent_required')
})
