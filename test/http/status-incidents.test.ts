import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type IncidentsServer, startIncidentsServer } from './status-incidents-server.ts'

const path = '/admin/llm/incidents'
const nowhere = '00000000-0000-7000-8000-000000000000'
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

let server: IncidentsServer
let admins = 0
beforeAll(async () => {
  server = await startIncidentsServer()
})
afterAll(() => server[Symbol.asyncDispose]())

/** A new account each time, because one may make thirty changes a minute. */
const newAdmin = () => {
  admins += 1
  return `admin${admins}`
}

const send = (method: string, where: string, body?: unknown, as = newAdmin()) =>
  server.call(where, { method, as, ...(body !== undefined && { body }) })
const open = (body: object = {}) =>
  send('POST', path, { title: 'Slow answers', message: 'We are looking into it.', ...body })
const openMaintenance = (body: object = {}) =>
  open({
    kind: 'maintenance',
    title: 'New disks',
    starts_at: inMinutes(60),
    ends_at: inMinutes(120),
    ...body,
  })

describe('a manual incident', () => {
  test('is opened, updated and closed, and every step is in the log', async () => {
    const { status, headers, body } = await open({ services: ['ollama'], impact: 'down' })
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`${path}/${body.id}`)
    expect(body).toMatchObject({
      kind: 'incident',
      title: 'Slow answers',
      impact: 'down',
      services: ['ollama'],
      state: 'investigating',
      opened_by: 'account',
      closed_at: null,
      starts_at: null,
      ends_at: null,
    })
    const updated = await send('POST', `${path}/${body.id}/updates`, {
      message: 'A node lost its network.',
      state: 'identified',
      impact: 'degraded',
    })
    expect([updated.status, updated.body.state, updated.body.impact]).toEqual([201, 'identified', 'degraded'])
    const closed = await send('POST', `${path}/${body.id}/close`)
    expect([closed.status, closed.body.state]).toEqual([200, 'resolved'])
    expect(Date.parse(closed.body.closed_at)).toBeGreaterThanOrEqual(Date.parse(body.opened_at))
    const read = await server.call(`${path}/${body.id}`)
    expect(read.body).toEqual(closed.body)
    expect(read.body.updates.map(({ message }: { message: string }) => message)).toEqual([
      'This incident is resolved.',
      'A node lost its network.',
      'We are looking into it.',
    ])
    for (const what of ['opened', 'updated', 'closed']) {
      const events = await server.eventsOf(`status.incident_${what}`)
      expect(events.filter(({ subject }) => subject === body.id)).toHaveLength(1)
    }
  })

  test('is closed by a resolving update, and can be updated afterwards', async () => {
    const { body } = await open()
    const where = `${path}/${body.id}/updates`
    const resolved = await send('POST', where, { message: 'All is well.', state: 'resolved' })
    expect([resolved.status, resolved.body.state, resolved.body.closed_at === null]).toEqual([
      201,
      'resolved',
      false,
    ])
    const added = await send('POST', where, { message: 'It was a cable.\r\n\r\nA blue one.\n' })
    expect(added.status).toBe(201)
    expect(added.body.updates[0]).toMatchObject({
      message: 'It was a cable.\n\nA blue one.',
      state: 'resolved',
    })
    expect((await send('POST', where, { message: 'No.', state: 'monitoring' })).status).toBe(409)
    expect((await send('POST', `${path}/${body.id}/close`)).body).toMatchObject({
      error: 'CONFLICT',
      message: 'The incident is already closed.',
    })
    expect((await send('PATCH', `${path}/${body.id}`, { impact: 'none' })).status).toBe(409)
    const retitled = await send('PATCH', `${path}/${body.id}`, { title: 'A cable' })
    expect([retitled.status, retitled.body.title, retitled.body.state]).toEqual([200, 'A cable', 'resolved'])
  })

  test('is changed by field, and removed', async () => {
    const { body } = await open({ services: ['queue'] })
    const changed = await send('PATCH', `${path}/${body.id}`, { services: ['queue', 'disk'] })
    expect(changed.body).toMatchObject({ title: 'Slow answers', services: ['queue', 'disk'] })
    const removed = await send('DELETE', `${path}/${body.id}`)
    expect([removed.status, removed.body]).toEqual([200, { success: true, id: body.id }])
    expect((await server.call(`${path}/${body.id}`)).status).toBe(404)
    expect((await send('DELETE', `${path}/${body.id}`)).body.error).toBe('NOT_FOUND')
  })

  test('that is sent twice with one key is opened once', async () => {
    const as = newAdmin()
    const post = () =>
      server.call(path, {
        method: 'POST',
        as,
        body: { title: 'Once', message: 'Only once.' },
        headers: { 'idempotency-key': 'once' },
      })
    const [first, second] = [await post(), await post()]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body.id).toBe(first.body.id)
  })
})

describe('maintenance', () => {
  test('is scheduled, in progress and completed by the clock, before the state is stored', async () => {
    const { status, body } = await openMaintenance({ services: ['database'] })
    expect([status, body.state, body.impact]).toEqual([201, 'scheduled', 'maintenance'])
    const move = (starts: string, ends: string) =>
      server.database.query(
        `update status_incidents set starts_at = now() + $2::interval, ends_at = now() + $3::interval where id = $1`,
        [body.id, starts, ends],
      )
    const state = async () => (await server.call(`${path}/${body.id}`)).body.state

    await move('-1 minute', '1 minute')
    expect(await state()).toBe('under_way')
    await server.advance()
    await server.advance()
    expect(await state()).toBe('under_way')
    await move('-2 minutes', '-1 minute')
    expect(await state()).toBe('done')
    const listed = await server.call(`${path}?kind=maintenance&status=open&limit=200`)
    expect(listed.body.incidents.map(({ id }: { id: string }) => id)).not.toContain(body.id)
    await server.advance()
    await server.advance()
    const over = (await server.call(`${path}/${body.id}`)).body
    expect(over.closed_at).toBe(over.ends_at)
    expect(over.updates.map(({ message }: { message: string }) => message)).toEqual([
      'The maintenance is completed.',
      'The maintenance has started.',
      'We are looking into it.',
    ])
    const closed = await server.eventsOf('status.incident_closed')
    expect(closed.filter(({ subject }) => subject === body.id)).toHaveLength(1)
  })

  test('whose start was not stored goes straight to its end', async () => {
    const { body } = await openMaintenance()
    await server.database.query(
      `update status_incidents set starts_at = now() - interval '2 hours', ends_at = now() - interval '1 hour' where id = $1`,
      [body.id],
    )
    await server.advance()
    const over = (await server.call(`${path}/${body.id}`)).body
    expect([over.state, over.updates[0].message, over.updates.length]).toEqual([
      'done',
      'The maintenance is completed.',
      2,
    ])
  })

  test('that is changed before its start was published has started nevertheless', async () => {
    const { body } = await openMaintenance()
    await server.database.query(
      `update status_incidents set starts_at = now() - interval '1 second' where id = $1`,
      [body.id],
    )
    const changed = await send('PATCH', `${path}/${body.id}`, { title: 'New disks, and more' })
    expect(changed.body.updates[0].message).toBe('The maintenance has started.')
    await server.advance()
    const told = (await server.eventsOf('status.incident_updated')).filter(
      ({ subject }) => subject === body.id,
    )
    expect(told.map(({ data }) => [data['message'], data['by']])).toEqual([
      ['The maintenance has started.', 'prober'],
      [null, 'account'],
    ])
  })

  test('can be moved before it starts, extended after, cancelled and ended early', async () => {
    const { body } = await openMaintenance()
    const where = `${path}/${body.id}`
    const moved = await send('PATCH', where, { starts_at: inMinutes(30), ends_at: inMinutes(40) })
    expect(moved.status).toBe(200)
    const off = await send('POST', `${where}/close`)
    expect([off.body.state, off.body.updates[0].message]).toEqual(['done', 'The maintenance was cancelled.'])

    const begun = (await openMaintenance({ starts_at: inMinutes(-10) })).body
    expect(begun.state).toBe('under_way')
    const tooLate = await send('PATCH', `${path}/${begun.id}`, { starts_at: inMinutes(5) })
    expect([tooLate.status, tooLate.body.message]).toEqual([
      400,
      'starts_at cannot be changed: the maintenance has started.',
    ])
    const end = inMinutes(300)
    expect((await send('PATCH', `${path}/${begun.id}`, { ends_at: end })).body.ends_at).toBe(end)
    const early = await send('POST', `${path}/${begun.id}/close`, { message: 'Faster than planned.' })
    expect([early.body.state, early.body.ends_at, early.body.updates[0].message]).toEqual([
      'done',
      end,
      'Faster than planned.',
    ])
  })
})

describe('an invalid combination is refused', () => {
  test.each([
    [{ title: undefined }, 'title'],
    [{ title: '' }, 'title'],
    [{ title: ' ' }, 'title'],
    [{ title: 'two\nlines' }, 'title'],
    [{ title: 'x'.repeat(201) }, 'title'],
    [{ title: 7 }, 'title'],
    [{ message: undefined }, 'message'],
    [{ message: ' \n ' }, 'message'],
    [{ message: 'bell \u0007' }, 'message'],
    [{ message: 'x'.repeat(5001) }, 'message'],
    [{ services: ['printer'] }, 'services[0]'],
    [{ services: ['ollama', 'ollama'] }, 'services'],
    [{ impact: 'maintenance' }, 'impact'],
    [{ impact: 'huge' }, 'impact'],
    [{ state: 'resolved' }, 'state'],
    [{ starts_at: inMinutes(1) }, 'starts_at'],
    [{ kind: 'accident' }, 'kind'],
    [{ colour: 'red' }, 'colour'],
    [{ kind: 'maintenance' }, 'ends_at'],
    [{ kind: 'maintenance', ends_at: inMinutes(5), state: 'monitoring' }, 'state'],
    [{ kind: 'maintenance', ends_at: inMinutes(5), impact: 'down' }, 'impact'],
    [{ kind: 'maintenance', ends_at: inMinutes(-5), starts_at: inMinutes(-9) }, 'ends_at'],
    [{ kind: 'maintenance', ends_at: inMinutes(5), starts_at: inMinutes(5) }, 'ends_at'],
    [{ kind: 'maintenance', ends_at: inMinutes(5), starts_at: inMinutes(-1500) }, 'starts_at'],
    [{ kind: 'maintenance', ends_at: inMinutes(60 * 24 * 31) }, 'ends_at'],
    [
      {
        kind: 'maintenance',
        starts_at: inMinutes(60 * 24 * 400),
        ends_at: inMinutes(60 * 24 * 401),
      },
      'starts_at',
    ],
    [{ kind: 'maintenance', ends_at: 'tomorrow' }, 'ends_at'],
    [{ kind: 'maintenance', ends_at: '2026-12-31T23:59:60Z' }, 'ends_at'],
  ])('%j', async (body, wrong) => {
    const answer = await open(body)
    expect(answer.status).toBe(400)
    expect(answer.body.error).toBe('BAD_REQUEST')
    expect(answer.body.problems.map((problem: { path: string }) => problem.path)).toContain(wrong)
    expect(Object.keys(answer.body).toSorted()).toEqual([
      'error',
      'message',
      'problems',
      'request_id',
      'timestamp',
    ])
  })

  test('in changes and updates, too', async () => {
    const { id } = (await open()).body
    const planned = (await openMaintenance()).body
    for (const [method, where, body] of [
      ['PATCH', `${path}/${id}`, {}],
      ['PATCH', `${path}/${id}`, { ends_at: inMinutes(5) }],
      ['PATCH', `${path}/${id}`, { impact: 'maintenance' }],
      ['PATCH', `${path}/${id}`, '{'],
      ['PATCH', `${path}/${planned.id}`, { ends_at: inMinutes(1) }],
      ['POST', `${path}/${id}/updates`, { state: 'monitoring' }],
      ['POST', `${path}/${id}/updates`, { message: 'x', state: 'done' }],
      ['POST', `${path}/${planned.id}/updates`, { message: 'x', state: 'resolved' }],
      ['POST', `${path}/${id}/close`, { message: '' }],
      ['POST', `${path}/${id}/close`, { note: 'x' }],
    ] as const) {
      const answer = await send(method, where, body)
      expect([answer.status, answer.body.error], JSON.stringify(body)).toEqual([400, 'BAD_REQUEST'])
    }
  })

  test('for an unknown incident, too', async () => {
    for (const [method, where, body] of [
      ['GET', '', undefined],
      ['PATCH', '', { title: 'x' }],
      ['DELETE', '', undefined],
      ['POST', '/updates', { message: 'x' }],
      ['POST', '/close', undefined],
    ] as const) {
      expect((await send(method, `${path}/${nowhere}${where}`, body)).body.error).toBe('NOT_FOUND')
    }
    expect((await server.call(`${path}/nonsense`)).status).toBe(404)
  })
})

test('lists are filtered and paged, the newest first', async () => {
  await server.database.query(`delete from status_incidents where 'mcp' = any(services)`)
  const ids: string[] = []
  for (let each = 0; each < 3; each += 1) ids.unshift((await open({ services: ['mcp'] })).body.id)
  await send('POST', `${path}/${ids[0]}/close`)
  const list = async (query: string) => {
    const { body } = await server.call(`${path}?service=mcp&${query}`)
    return { ids: body.incidents.map(({ id }: { id: string }) => id), total: body.total }
  }
  expect(await list('')).toEqual({ ids, total: 3 })
  expect(await list('status=open')).toEqual({ ids: ids.slice(1), total: 2 })
  expect(await list('status=closed')).toEqual({ ids: ids.slice(0, 1), total: 1 })
  expect(await list('kind=maintenance')).toEqual({ ids: [], total: 0 })
  expect(await list('limit=2&page=2')).toEqual({ ids: ids.slice(2), total: 3 })
  const { body } = await server.call(`${path}?service=mcp&limit=1`)
  expect(body.incidents[0].latest_update.message).toBe('This incident is resolved.')
  for (const query of ['limit=0', 'limit=201', 'page=0', 'status=old', 'service=printer', 'colour=red']) {
    expect((await server.call(`${path}?${query}`)).status, query).toBe(400)
  }
})

test('callers without the permission read and change nothing', async () => {
  const { id } = (await open()).body
  for (const [method, where] of [
    ['GET', path],
    ['GET', `${path}/${id}`],
    ['POST', path],
    ['PATCH', `${path}/${id}`],
    ['POST', `${path}/${id}/updates`],
    ['POST', `${path}/${id}/close`],
    ['DELETE', `${path}/${id}`],
  ] as const) {
    const reader = await server.call(where, { method, as: 'reader' })
    expect([reader.status, reader.body.error], `${method} ${where}`).toEqual([403, 'FORBIDDEN'])
    const visitor = await server.call(where, { method, as: '' })
    expect([visitor.status, visitor.body.error], `${method} ${where}`).toEqual([401, 'UNAUTHORIZED'])
  }
})

test('one account may make thirty changes a minute', async () => {
  const as = newAdmin()
  const statuses: number[] = []
  for (let each = 0; each < 31; each += 1) {
    statuses.push((await send('DELETE', `${path}/${nowhere}`, undefined, as)).status)
  }
  expect(new Set(statuses.slice(0, 30))).toEqual(new Set([404]))
  expect(statuses[30]).toBe(429)
  const refused = await send('DELETE', `${path}/${nowhere}`, undefined, as)
  expect(refused.body.error).toBe('RATE_LIMITED')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await server.call(path, { as })).status).toBe(200)
})
