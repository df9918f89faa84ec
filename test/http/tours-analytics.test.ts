import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, builderPath, shareToursServer, type ToursServer, userWithRole } from './tours-server.ts'

let server: ToursServer
let tour: string

beforeAll(async () => {
  server = await shareToursServer()
})

afterAll(() => server[Symbol.asyncDispose]())

beforeEach(async () => {
  tour = (await server.make({ label: 'Watched' })).id
  for (const title of ['A', 'B', 'C']) await server.addStep(tour, { title })
  await server.put(`/${tour}`, { status: true }, { as: userWithRole('editor') })
})

const today = () => new Date().toISOString().slice(0, 10)
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()

function tell(body: unknown, options: object = {}): Promise<Answer> {
  return server.post(`${builderPath}/${tour}/event`, body, { as: '', ...options })
}

async function read(query = ''): Promise<Answer['body']> {
  const { status, body } = await server.call(`/${tour}/analytics${query}`, { as: userWithRole('analyst') })
  expect(status).toBe(200)
  return body
}

/** Plays the tour up to a step, and ends it or stops sending events. */
function playTo(
  steps: readonly string[],
  end: 'complete' | 'dismiss' | undefined,
  duration = 10,
): Promise<Answer> {
  const play = randomUUID()
  const seen = steps.flatMap((step_id, index) => [
    { event: 'step_view', play, step_id },
    ...(index < steps.length - 1 || end === 'complete'
      ? [{ event: 'step_complete', play, step_id, duration: index + 1 }]
      : []),
  ])
  const started = steps.length > 1 ? [{ event: 'start', play }] : []
  const ended = end === undefined ? [] : [{ event: end, play, duration }]
  return tell({ events: [{ event: 'view', play }, ...started, ...seen, ...ended] })
}

describe('analytics', () => {
  test('without visitors have zeros, and no rates', async () => {
    const body = await read()
    expect(body).toMatchObject({
      success: true,
      tour_id: tour,
      timeframe: '30d',
      totals: {
        views: 0,
        starts: 0,
        completions: 0,
        dismissals: 0,
        completion_rate: null,
        average_duration: null,
        average_dismissal_duration: null,
      },
    })
    expect(body.steps).toHaveLength(3)
    expect(body.steps[0]).toEqual({
      id: 'a',
      label: 'A',
      weight: 1,
      views: 0,
      completions: 0,
      drop_offs: 0,
      drop_off_rate: null,
      missing: 0,
      average_time: null,
    })
    expect(body.daily).toHaveLength(30)
    expect(body.daily.at(-1)).toEqual({ date: today(), views: 0, starts: 0, completions: 0, dismissals: 0 })
  })

  test('count the events of visitors', async () => {
    await playTo(['a', 'b', 'c'], 'complete', 30)
    await playTo(['a', 'b', 'c'], 'complete', 40)
    await playTo(['a', 'b'], 'dismiss', 6)
    await playTo(['a'], 'dismiss')
    const { totals, steps, daily } = await read()
    expect(totals).toEqual({
      views: 4,
      starts: 3,
      completions: 2,
      dismissals: 2,
      completion_rate: 66.67,
      average_duration: 35,
      average_dismissal_duration: 8,
    })
    expect(steps).toMatchObject([
      { id: 'a', views: 4, completions: 3, drop_offs: 1, drop_off_rate: 25, average_time: 1 },
      { id: 'b', views: 3, completions: 2, drop_offs: 1, drop_off_rate: 33.33, average_time: 2 },
      { id: 'c', views: 2, completions: 2, drop_offs: 0, drop_off_rate: 0, average_time: 3 },
    ])
    expect(daily.at(-1)).toEqual({ date: today(), views: 4, starts: 3, completions: 2, dismissals: 2 })
  })

  test('count the same event of a play once, also from many concurrent tabs', async () => {
    const play = randomUUID()
    await tell({ event: 'view', play })
    const events = [
      { event: 'view', play },
      { event: 'step_view', play: play.toUpperCase(), step_id: 'a' },
    ]
    const answers = await Promise.all(Array.from({ length: 24 }, () => tell({ events })))
    for (const { status, body } of answers) {
      expect(status).toBe(202)
      expect(body).toEqual({ success: true, accepted: 2, ignored: [] })
    }
    const { totals, steps } = await read()
    expect(totals.views).toBe(1)
    expect(steps[0].views).toBe(1)
  })

  test('accept a single event, with or without a play', async () => {
    expect((await tell({ event: 'view' })).body).toEqual({ success: true, accepted: 1, ignored: [] })
    await tell({ event: 'view' })
    await tell({ event: 'start' })
    await tell({ event: 'complete', duration: 12.5 })
    await tell({ event: 'dismiss', step_id: 'b', play: randomUUID() })
    const { totals, steps } = await read()
    expect(totals).toMatchObject({
      views: 3,
      starts: 1,
      completions: 1,
      dismissals: 1,
      average_duration: 12.5,
    })
    expect(steps[1]).toMatchObject({ views: 1, drop_offs: 1, drop_off_rate: 100 })
  })

  test('have rates of at most 100', async () => {
    await tell({ events: [{ event: 'start' }, { event: 'complete' }, { event: 'complete' }] })
    expect((await read()).totals.completion_rate).toBe(100)
  })

  test.each([
    ['7d', 7],
    ['30d', 30],
    ['90d', 90],
    ['all', 100],
  ])('over %s', async (timeframe, days) => {
    for (const ago of [0, 6, 7, 29, 30, 89, 90, 99]) {
      await server.database.query(
        `insert into tour_days (tour_id, day, views, starts) values ($1, (now() at time zone 'utc')::date - $2::int, 1, 1)`,
        [tour, ago],
      )
      await server.database.query(
        `insert into tour_step_days (tour_id, step_id, day, views) values ($1, 'a', (now() at time zone 'utc')::date - $2::int, 1)`,
        [tour, ago],
      )
    }
    const { daily, totals, steps, timeframe: told } = await read(`?timeframe=${timeframe}`)
    expect(told).toBe(timeframe)
    expect(daily).toHaveLength(days)
    expect(new Set(daily.map(({ date }: { date: string }) => date)).size).toBe(days)
    const within = [0, 6, 7, 29, 30, 89, 90, 99].filter((ago) => ago < days).length
    expect(totals.views).toBe(within)
    expect(steps[0].views).toBe(within)
    expect(daily[0].views).toBe(1)
  })

  test('refuse another timeframe with 400', async () => {
    const { status, body } = await server.call(`/${tour}/analytics?timeframe=1y`)
    expect(status).toBe(400)
    expect(body.errors).toMatchObject([{ field: 'timeframe', code: 'choice' }])
  })

  test('follow the current steps of the tour', async () => {
    await playTo(['a', 'b'], 'dismiss')
    await server.delete(`${builderPath}/${tour}/step/a`, { as: userWithRole('editor') })
    await server.post(`${builderPath}/${tour}/reorder`, { order: ['c', 'b'] }, { as: userWithRole('editor') })
    expect((await read()).steps).toMatchObject([
      { id: 'c', weight: 1, views: 0 },
      { id: 'b', weight: 2, views: 1 },
    ])
  })
})

describe('an event', () => {
  test.each([
    [{}, 'event'],
    [{ event: 'jump' }, 'event'],
    [{ event: 'step_view' }, 'step_id'],
    [{ event: 'step_complete', step_id: '' }, 'step_id'],
    [{ event: 'view', play: 'not-a-uuid' }, 'play'],
    [{ event: 'complete', duration: -1 }, 'duration'],
    [{ event: 'complete', duration: 86_401 }, 'duration'],
    [{ event: 'complete', duration: 'long' }, 'duration'],
    [{ event: 'view', at: 'yesterday' }, 'at'],
    [{ event: 'view', mood: 'good' }, 'mood'],
    [{ events: [] }, 'events'],
    [{ events: [{ event: 'view' }, { event: 'step_view' }] }, 'events[1].step_id'],
    [{ events: Array.from({ length: 51 }, () => ({ event: 'view' })) }, 'events'],
    [{ events: Array.from({ length: 6 }, () => ({ event: 'view', play: randomUUID() })) }, 'events'],
  ])('%j is a 400', async (body, field) => {
    const answer = await tell(body)
    expect(answer.status).toBe(400)
    expect(answer.body.errors.map((error: { field: string }) => error.field)).toContain(field)
  })

  test('of an unknown step is reported, and the others count', async () => {
    const { status, body } = await tell({
      events: [{ event: 'step_view', step_id: 'gone' }, { event: 'view' }],
    })
    expect(status).toBe(202)
    expect(body).toMatchObject({ accepted: 1, ignored: [{ index: 0, code: 'unknown' }] })
    expect((await read()).totals.views).toBe(1)
  })

  test('of a draft gets the error of an unknown tour', async () => {
    await server.put(`/${tour}`, { status: false })
    const draft = await tell({ event: 'view' })
    expect(draft.status).toBe(404)
    const unknown = await server.post(`${builderPath}/nowhere/event`, { event: 'view' }, { as: '' })
    expect(unknown.status).toBe(404)
    expect(draft.body.errors).toEqual(unknown.body.errors)
  })

  test('of a preview counts nothing, and requires editors', async () => {
    await server.put(`/${tour}`, { status: false })
    const body = { event: 'view', preview: true }
    expect((await tell(body)).status).toBe(403)
    expect((await tell(body, { as: userWithRole('analyst') })).status).toBe(403)
    const answer = await tell(body, { as: userWithRole('editor') })
    expect(answer.status).toBe(202)
    expect(answer.body.accepted).toBe(0)
    expect((await read()).totals.views).toBe(0)
  })

  test('counts for the day it happened, when that is recent', async () => {
    await tell({
      events: [
        { event: 'view', at: hoursAgo(24) },
        { event: 'view', at: hoursAgo(49) },
        { event: 'view', at: hoursAgo(-5) },
      ],
    })
    const { daily } = await read('?timeframe=7d')
    expect(daily.map(({ views }: { views: number }) => views)).toEqual([0, 0, 0, 0, 0, 1, 2])
  })

  test('may come from a page of any site, and errors are readable there', async () => {
    const headers = { origin: 'https://elsewhere.example' }
    const path = `${builderPath}/${tour}/event`
    const asked = await server.call(path, {
      as: '',
      method: 'OPTIONS',
      headers: {
        ...headers,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    })
    expect(asked.status).toBe(204)
    expect(asked.headers.get('access-control-allow-methods')).toContain('POST')
    expect(asked.headers.get('access-control-allow-headers')).toContain('Content-Type')
    const refused = await server.call('', { as: undefined, headers: { 'x-api-key': 'tk_wrong', ...headers } })
    expect(refused.headers.get('access-control-allow-origin')).toBeNull()
    const answers = [
      asked,
      await tell({ event: 'view' }, { headers }),
      await tell({}, { headers }),
      await tell('{', { headers }),
      await tell({ event: 'view' }, { as: undefined, headers: { ...headers, 'x-api-key': 'tk_wrong' } }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([204, 202, 400, 400, 401])
    for (const answer of answers) {
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    }
  })

  test('has its own limit for each address, with Retry-After', async () => {
    const headers = { 'x-forwarded-for': '10.3.3.3' }
    for (let n = 0; n < 20; n += 1) {
      expect((await tell({ event: 'view' }, { as: undefined, headers })).status).toBe(202)
    }
    const answer = await tell({ event: 'view' }, { as: undefined, headers })
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(answer.headers.get('access-control-expose-headers')).toContain('Retry-After')
    const other = await server.call('', { as: undefined, headers })
    expect(other.headers.get('x-ratelimit-limit')).toBe('20')
    expect(other.headers.get('x-ratelimit-remaining')).toBe('19')
    expect((await tell({ event: 'view' }, { as: 'admin' })).headers.get('x-ratelimit-limit')).toBe('100')
  })
})

const download = async (query: string, as = userWithRole('analyst')) =>
  await fetch(`${server.url}/tours/analytics/${tour}${query}`, { headers: await server.headersOf(as) })

describe('analytics as CSV', () => {
  test('have a line per day or per step', async () => {
    await playTo(['a', 'b', 'c'], 'complete')
    await playTo(['a', 'b'], 'dismiss')
    const days = await download('?timeframe=7d')
    expect(days.status).toBe(200)
    expect(days.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(days.headers.get('content-disposition')).toBe(`attachment; filename="${tour}-days.csv"`)
    const lines = (await days.text()).split('\r\n')
    expect(lines).toHaveLength(9)
    expect(lines[0]).toBe('date,views,starts,completions,dismissals')
    expect(lines[7]).toBe(`${today()},2,2,1,1`)
    const steps = await (await download('?table=steps')).text()
    expect(steps.split('\r\n').slice(0, 3)).toEqual([
      'weight,id,label,views,completions,drop_offs,drop_off_rate,missing,average_time',
      '1,a,A,2,2,0,0,0,1',
      '2,b,B,2,1,1,50,0,2',
    ])
  })

  test('need the permission, and an existing tour', async () => {
    expect((await download('', userWithRole('editor'))).status).toBe(403)
    expect((await download('?table=other')).status).toBe(400)
    tour = 'no_such'
    expect((await download('')).status).toBe(404)
  })
})
