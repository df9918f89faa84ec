import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPruneVisitsTask, keepDays } from '../../src/tours/targeting/prune-visits.ts'
import { startToursServer, type ToursServer, userWithRole } from './tours-server.ts'

let server: ToursServer
beforeAll(async () => {
  server = await startToursServer()
})
afterAll(() => server?.[Symbol.asyncDispose]())

const admin = () => ({ as: userWithRole('admin') })
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const targeting = {
  conditions: [{ attribute: 'role', operator: 'is', values: ['editor'] }],
  starts_at: '2020-01-01T01:00:00+01:00',
  ends_at: null,
  frequency: 'days',
  days: 7,
}

async function publish(id: string, more: object = {}): Promise<void> {
  await server.make({ id, label: id })
  const { status, body } = await server.put(
    `/${id}`,
    {
      status: true,
      routes: [{ route_name: `/${id}` }],
      tips: [{ id: 'hello', label: 'Hello', location: 'center' }],
      ...more,
    },
    admin(),
  )
  expect(status, JSON.stringify(body)).toBe(200)
}

const published = async (id: string) =>
  (await server.call(`/tours/published?path=/${id}`, { as: '' })).body.tours

describe('targeting', () => {
  test('is stored with defaults, replaced as a whole, and sent to players', async () => {
    const { id, targeting: initial } = await server.make()
    const none = { conditions: [], starts_at: null, ends_at: null, frequency: 'once', days: null }
    expect(initial).toEqual(none)
    const changed = await server.put(`/${id}`, { targeting }, admin())
    expect(changed.body.tour.targeting).toEqual({ ...targeting, starts_at: '2020-01-01T00:00:00.000Z' })
    const kept = await server.put(`/${id}`, { label: 'Other' }, admin())
    expect(kept.body.tour.targeting.days).toBe(7)
    const removed = await server.put(`/${id}`, { targeting: { frequency: 'always' } }, admin())
    expect(removed.body.tour.targeting).toEqual({ ...none, frequency: 'always' })

    await publish('for_editors', { targeting })
    expect(await published('for_editors')).toMatchObject([
      { targeting: { conditions: targeting.conditions } },
    ])
  })

  test('an import keeps it', async () => {
    const { body } = await server.post('', { tour: { label: 'Imported', targeting } }, admin())
    expect(body.tour.targeting.conditions).toEqual(targeting.conditions)
  })

  test.each([
    [{ conditions: [{ attribute: 'Role', operator: 'is', values: ['a'] }] }, 400],
    [{ conditions: [{ attribute: 'role', operator: 'has', values: ['a'] }] }, 400],
    [{ conditions: [{ attribute: 'role', operator: 'is', values: [] }] }, 400],
    [{ conditions: [{ attribute: 'role', operator: 'is', values: [' '] }] }, 400],
    [{ conditions: Array.from({ length: 11 }, () => targeting.conditions[0]) }, 400],
    [{ starts_at: 'tomorrow' }, 400],
    [{ starts_at: '2031-01-01T10:00:60Z' }, 400],
    [{ starts_at: '0001-01-01T10:00:00Z' }, 400],
    [{ starts_at: inDays(2), ends_at: inDays(1) }, 422],
    [{ frequency: 'days' }, 400],
    [{ frequency: 'days', days: 366 }, 400],
    [{ frequency: 'sometimes' }, 400],
    [{ more: 1 }, 400],
  ])('%j is refused with %i', async (given, status) => {
    const { id } = await server.make()
    const answer = await server.put(`/${id}`, { targeting: given }, admin())
    expect(answer.status).toBe(status)
    expect(answer.body.errors[0].message).toMatch(/^targeting.*\.$/)
  })

  test('a tour is published only within its dates', async () => {
    await publish('over', { targeting: { ends_at: inDays(-1) } })
    await publish('later', { targeting: { starts_at: inDays(1) } })
    await publish('now', { targeting: { starts_at: inDays(-1), ends_at: inDays(1) } })
    expect(await published('over')).toEqual([])
    expect(await published('later')).toEqual([])
    expect(await published('now')).toHaveLength(1)
    const byId = await server.call('/tours/published?tour=over', { as: '' })
    expect(byId.body.tours).toEqual([])
  })

  test('the export names what a Drupal site cannot express', async () => {
    await publish('exported', { targeting: { ...targeting, ends_at: inDays(1) } })
    const { body } = await server.call('/exported/export', {
      headers: { accept: 'application/json' },
      ...admin(),
    })
    const lost = body.findings.filter(({ code }: { code: string }) => code === 'targeting_lost')
    expect(lost.map(({ path }: { path: string }) => path)).toEqual([
      'targeting.conditions[0]',
      'targeting.starts_at',
      'targeting.ends_at',
      'targeting.frequency',
    ])
  })
})

const visits = async (user: string, more: object = {}) =>
  await server.post('/tours/visits', { user, ...more }, { as: '' })
const end = async (user: string, tour: string, more: object = {}) =>
  await server.post('/tours/visits/ended', { user, tour, state: 'completed', ...more }, { as: '' })

describe('tours that a user ended', () => {
  test('are known on every device, and the id of the user is not stored', async () => {
    await publish('seen')
    expect((await visits('ann@example.com')).body).toEqual({ success: true, visits: [] })
    const ended = await end('ann@example.com', 'seen')
    expect(ended.status).toBe(202)
    expect(ended.headers.get('access-control-allow-origin')).toBe('*')
    expect((await visits('ann@example.com')).body.visits).toEqual([
      { tour: 'seen', state: 'completed', ended_at: expect.any(String) },
    ])
    await end('ann@example.com', 'seen', { state: 'dismissed' })
    expect((await visits('ann@example.com')).body.visits).toMatchObject([{ state: 'dismissed' }])
    expect((await visits('ben@example.com')).body.visits).toEqual([])
    const rows = await server.database.query('select tour_visits::text as row from tour_visits', [])
    expect(JSON.stringify(rows)).not.toContain('ann')
    await server.call('/seen', { method: 'DELETE', ...admin() })
    expect((await visits('ann@example.com')).body.visits).toEqual([])
  })

  test('are those of one site, for pages of its origins', async () => {
    const environments = [{ name: 'live', origin: 'https://shop.example' }]
    await server.post('/tours/sites', { id: 'guarded', label: 'Guarded', environments }, admin())
    await publish('of_shop', { site_id: 'guarded' })
    expect((await end('7', 'of_shop')).status).toBe(404)
    expect((await end('7', 'of_shop', { site: 'guarded' })).status).toBe(202)
    expect((await visits('7', { site: 'guarded' })).body.visits).toHaveLength(1)
    expect((await visits('7')).body.visits).toEqual([])
    const other = { as: '', headers: { origin: 'https://evil.example' } }
    const refused = await server.post('/tours/visits', { user: '7', site: 'guarded' }, other)
    expect(refused.status).toBe(403)
    expect((await visits('7', { site: 'no_such' })).status).toBe(404)
  })

  test.each([
    ['/tours/visits', {}],
    ['/tours/visits', { user: '' }],
    ['/tours/visits', { user: 'x'.repeat(256) }],
    ['/tours/visits', { user: 'a\u0000b' }],
    ['/tours/visits', { user: 7 }],
    ['/tours/visits/ended', { user: '7', tour: 'x', state: 'under_way' }],
    ['/tours/visits/ended', { user: '7', state: 'completed' }],
  ])('%s with %j is 400', async (path, body) => {
    expect((await server.post(path, body, { as: '' })).status).toBe(400)
  })

  test('of a draft cannot be told', async () => {
    await server.make({ id: 'drafted', label: 'Drafted' })
    expect((await end('7', 'drafted')).status).toBe(404)
  })

  test('browsers may ask before they send', async () => {
    const { status, headers } = await server.call('/tours/visits/ended', { method: 'OPTIONS', as: '' })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-methods')).toBe('POST')
  })

  test('writing is limited for each address', async () => {
    await publish('limited')
    const headers = { 'x-forwarded-for': '10.77.0.1' }
    const statuses: number[] = []
    for (let count = 0; count < 21; count += 1) {
      const body = { user: `u${count}`, tour: 'limited', state: 'completed' }
      statuses.push((await server.post('/tours/visits/ended', body, { as: undefined, headers })).status)
    }
    expect(statuses.filter((status) => status === 202)).toHaveLength(20)
    expect(statuses.at(-1)).toBe(429)
  })

  test('are deleted after the retention, and beyond the bound of a site the oldest first', async () => {
    await publish('aged')
    for (const user of ['old', 'middle', 'new']) await end(user, 'aged')
    const age = (user: number, days: number) =>
      server.database.query(
        `
          update tour_visits set ended_at = now() - $1 * interval '1 day' where ctid = (
            select ctid from tour_visits where tour_id = 'aged' order by ended_at offset $2 limit 1
          )
        `,
        [days, user],
      )
    await age(0, keepDays + 1)
    const count = async () =>
      (await server.database.query(`select 1 from tour_visits where tour_id = 'aged'`, [])).length
    await createPruneVisitsTask(server.database).run(new AbortController().signal)
    expect(await count()).toBe(2)
    await server.database.query(`delete from tour_visits where tour_id <> 'aged'`, [])
    await createPruneVisitsTask(server.database, 1).run(new AbortController().signal)
    expect(await count()).toBe(1)
    expect((await visits('new')).body.visits).toHaveLength(1)
  })
})
