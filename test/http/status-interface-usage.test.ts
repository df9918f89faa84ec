import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addAccount, basic, cookieOf, freshAddress } from './identity-server.ts'
import { type IncidentsServer, startIncidentsServer } from './status-incidents-server.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const safari = 'Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15'

const submission = (more: object = {}) => ({
  event: 'click',
  component: 'status-panel',
  user_agent: firefox,
  timestamp: new Date().toISOString(),
  metadata: { theme: 'corporate', version: '1.0.0' },
  ...more,
})

let server: IncidentsServer
let senders = 0
beforeAll(async () => {
  server = await startIncidentsServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const submit = (body: unknown, options: Parameters<IncidentsServer['call']>[1] = {}) => {
  senders += 1
  return server.call('/llm-ui/analytics', { method: 'POST', as: `reader${senders}`, body, ...options })
}
const itself = (headers: Record<string, string>) =>
  submit(submission(), { as: 'itself', headers: { 'x-forwarded-for': freshAddress(), ...headers } })
const usage = async (query = '') => (await server.call(`/admin/llm/interface-usage${query}`)).body

test('events of the console are acknowledged, counted and shown', async () => {
  await server.database.query('truncate status_usage_days, status_usage, status_usage_recent')
  const { status, headers, body } = await submit(submission())
  expect(status).toBe(200)
  expect(body).toEqual({ success: true, message: 'Recorded.', id: expect.stringMatching(/^[0-9a-f-]{36}$/) })
  expect(headers.get('x-ratelimit-limit')).toBe('60')
  await submit(submission({ event: ' load ', user_agent: safari }))
  await submit(
    submission({ metadata: { theme: 'corporate', version: '1.1.0', page: '/models', fast: true } }),
  )
  await submit(
    { event: 'click', component: 'menu', timestamp: new Date().toISOString() },
    { headers: { 'user-agent': safari } },
  )
  const yesterday = new Date(Date.now() - 23 * 3_600_000)
  await submit(submission({ timestamp: yesterday.toISOString() }))

  const report = await usage('?days=7')
  expect(report).toMatchObject({
    days: 7,
    total: 5,
    by_event: [
      { event: 'click', count: 4 },
      { event: 'load', count: 1 },
    ],
    by_component: [
      { component: 'status-panel', count: 4 },
      { component: 'menu', count: 1 },
    ],
    by_theme: [
      { theme: 'corporate', count: 4 },
      { theme: 'unknown', count: 1 },
    ],
    by_version: [
      { theme: 'corporate', version: '1.0.0', count: 3 },
      { theme: 'corporate', version: '1.1.0', count: 1 },
      { theme: 'unknown', version: 'unknown', count: 1 },
    ],
    by_browser: [
      { browser: 'firefox', count: 3 },
      { browser: 'safari', count: 2 },
    ],
  })
  expect(report.by_day).toHaveLength(7)
  expect(report.by_day.map(({ date }: { date: string }) => date)).toEqual(
    report.by_day.map(({ date }: { date: string }) => date).toSorted(),
  )
  const ofDay = (at: Date) =>
    report.by_day.find(({ date }: { date: string }) => date === at.toISOString().slice(0, 10))?.count
  expect(ofDay(yesterday)).toBeGreaterThanOrEqual(1)
  expect([report.from, report.to]).toEqual([report.by_day[0].date, report.by_day[6].date])
  expect(report.recent).toHaveLength(5)
  expect(report.recent.find(({ id }: { id: string }) => id === body.id)).toMatchObject({
    event: 'click',
    component: 'status-panel',
    browser: 'firefox',
    user_agent: firefox,
    metadata: { theme: 'corporate', version: '1.0.0' },
  })
  expect(report.recent[2].metadata).toEqual({
    theme: 'corporate',
    version: '1.1.0',
    page: '/models',
    fast: true,
  })
})

const dayMs = 86_400_000
const dayOf = (moment: number) => new Date(moment).toISOString().slice(0, 10)
const countOf = async (day: string) =>
  (await usage('?days=365')).by_day.find(({ date }: { date: string }) => date === day)?.count
/** A moment in the middle of a day, so that offsets and midnight decide nothing. */
const noon = (daysAgo: number) => Date.parse(`${dayOf(Date.now() - daysAgo * dayMs)}T12:00:00Z`)
const iso = (moment: number) => new Date(moment).toISOString()

describe('the day of a submission', () => {
  test.each([
    ['an offset', () => `${iso(noon(3) + 2 * 3_600_000).slice(0, 19)}+02:00`, 3],
    ['an offset without a colon', () => `${iso(noon(3) - 5 * 3_600_000).slice(0, 19)}-0500`, 3],
    ['no milliseconds', () => `${iso(noon(2)).slice(0, 19)}Z`, 2],
    ['nanoseconds', () => `${iso(noon(2)).slice(0, 19)}.123456789Z`, 2],
    ['no time', () => dayOf(noon(40)), 40],
    ['the basic form', () => iso(noon(40)).replaceAll(/[-:]|\.\d+/g, ''), 40],
    ['a day long ago that is kept', () => iso(noon(364)), 364],
    ['a day that is no longer kept', () => iso(noon(500)), 0],
    ['the year 1', () => '0001-01-01T00:00:00Z', 0],
    ['the year 0', () => '0000-01-01', 0],
    ['a day ahead', () => iso(noon(-2)), 0],
    ['the year 9999', () => '9999-12-31T23:59:59Z', 0],
    ['the year 0 east of Greenwich', () => '0000-01-01T00:00:00+14:00', 0],
    ['the year 9999 west of Greenwich', () => '9999-12-31T23:59:59-12:00', 0],
    ['a leap second', () => '2016-12-31T23:59:60Z', 0],
  ])('with %s', async (_name, timestamp, daysAgo) => {
    const day = dayOf(noon(daysAgo))
    const before = await countOf(day)
    const { status, body } = await submit(submission({ timestamp: timestamp() }))
    expect([status, body.message]).toEqual([200, 'Recorded.'])
    expect(await countOf(day)).toBe(before + 1)
    expect((await usage()).recent.some(({ id }: { id: string }) => id === body.id)).toBe(true)
  })
})

describe('an undocumented field or value is refused', () => {
  test.each([
    [{ event: undefined }, 'event'],
    [{ event: '' }, 'event'],
    [{ event: '  ' }, 'event'],
    [{ event: 'two\nlines' }, 'event'],
    [{ event: 'x'.repeat(101) }, 'event'],
    [{ event: 7 }, 'event'],
    [{ event: 'nul \0' }, 'event'],
    [{ component: undefined }, 'component'],
    [{ component: ['a'] }, 'component'],
    [{ user_agent: 7 }, 'user_agent'],
    [{ user_agent: 'x'.repeat(1001) }, 'user_agent'],
    [{ timestamp: undefined }, 'timestamp'],
    [{ timestamp: 'yesterday' }, 'timestamp'],
    [{ timestamp: 1_700_000_000 }, 'timestamp'],
    [{ timestamp: '2026-11-31T00:00:00Z' }, 'timestamp'],
    [{ timestamp: '2026-11' }, 'timestamp'],
    [{ timestamp: `${new Date().toISOString()}${'0'.repeat(60)}` }, 'timestamp'],
    [{ metadata: 'corporate' }, 'metadata'],
    [{ metadata: { theme: 7 } }, 'metadata.theme'],
    [{ metadata: { version: 'x'.repeat(51) } }, 'metadata.version'],
    [{ metadata: { more: {} } }, 'metadata.more'],
    [{ metadata: { more: 'x'.repeat(201) } }, 'metadata.more'],
    [{ metadata: { ['x'.repeat(65)]: 1 } }, 'metadata'],
    [{ metadata: Object.fromEntries(Array.from({ length: 13 }, (_, at) => [`f${at}`, 1])) }, 'metadata'],
    [{ session: 'x' }, 'session'],
  ])('%j', async (change, wrong) => {
    const { status, body } = await submit(submission(change))
    expect([status, body.error]).toEqual([400, 'BAD_REQUEST'])
    expect(body.problems[0].path).toBe(wrong)
    expect(Number.isNaN(Date.parse(body.timestamp))).toBe(false)
  })

  test.each([
    ['{', 400, 'BAD_REQUEST'],
    ['[]', 400, 'BAD_REQUEST'],
    ['null', 400, 'BAD_REQUEST'],
    [JSON.stringify(submission({ user_agent: 'x'.repeat(9000) })), 413, 'BODY_TOO_LARGE'],
  ])('%.20s', async (body, status, error) => {
    const answer = await submit(body)
    expect([answer.status, answer.body.error]).toEqual([status, error])
  })
})

describe('accepted senders', () => {
  const credentials = { username: 'wanda', password: 'a long enough password' }
  let cookie: string
  let token: string
  beforeAll(async () => {
    await addAccount(server.database, credentials)
    const answer = await fetch(`${server.url}/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(credentials),
    })
    cookie = cookieOf(answer)
    const signedIn = (await answer.json()) as { csrf_token: string }
    token = signedIn.csrf_token
  })

  test('a page with a session and its CSRF token, and not without the token', async () => {
    expect((await itself({ cookie, 'x-csrf-token': token })).status).toBe(200)
    for (const headers of [{ cookie }, { cookie, 'x-csrf-token': 'wrong' }]) {
      const refused = await itself(headers)
      expect([refused.status, refused.body.error]).toEqual([403, 'FORBIDDEN'])
    }
  })

  test('an anonymous page with its CSRF token, and not without it', async () => {
    const visitors = await (await fetch(`${server.url}/session/token`)).text()
    expect((await itself({ 'x-csrf-token': visitors })).status).toBe(200)
    expect((await itself({})).body.error).toBe('FORBIDDEN')
  })

  test('a caller with a credential, without any CSRF token; an invalid one is refused', async () => {
    const { username, password } = credentials
    expect((await itself(basic(username, password))).status).toBe(200)
    const refused = await itself(basic(username, 'wrong'))
    expect([refused.status, refused.body.error]).toEqual([401, 'UNAUTHORIZED'])
    expect((await itself({ 'x-api-key': 'tk_wrong' })).body.error).toBe('UNAUTHORIZED')
  })

  test('no caller whose role lacks the permission', async () => {
    const grant = (permissions: readonly string[]) =>
      server.database.query(`update identity_roles set permissions = $1 where name = 'anonymous'`, [
        permissions,
      ])
    const visitors = await (await fetch(`${server.url}/session/token`)).text()
    await grant([])
    const refused = await itself({ 'x-csrf-token': visitors })
    await grant(['access content'])
    expect([refused.status, refused.body.error]).toEqual([401, 'UNAUTHORIZED'])
  })

  test('at most sixty times a minute', async () => {
    const as = `reader-in-a-hurry-${senders}`
    const statuses: number[] = []
    for (let each = 0; each < 61; each += 1) {
      statuses.push((await submit(submission({ event: 'rush' }), { as })).status)
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(60)
    expect(statuses[60]).toBe(429)
  })
})

test('the statistics require administrators', async () => {
  for (const [as, status] of [
    ['reader', 403],
    ['', 401],
    ['admin', 200],
  ] as const) {
    expect((await server.call('/admin/llm/interface-usage', { as })).status).toBe(status)
  }
  for (const query of ['?days=0', '?days=366', '?days=x', '?weeks=1']) {
    expect((await server.call(`/admin/llm/interface-usage${query}`)).body.error).toBe('BAD_REQUEST')
  }
  expect((await usage()).days).toBe(30)
})
