import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builderPath, startToursServer, type ToursServer, userWithRole } from './tours-server.ts'

let server: ToursServer

beforeAll(async () => {
  server = await startToursServer()
})

afterAll(() => server[Symbol.asyncDispose]())

describe('the list', () => {
  test('has every tour with its steps, in pages', async () => {
    await using other = await startToursServer()
    expect((await other.call('')).body).toEqual({ success: true, tours: [], total: 0 })
    for (const label of ['One', 'Two', 'Three']) await other.make({ label })
    await other.addStep('two')
    await other.put('/two', { status: true })
    const { body } = await other.call('')
    expect(body.total).toBe(3)
    expect(body.tours.map(({ id }: { id: string }) => id)).toEqual(['one', 'two', 'three'])
    expect(body.tours[1]).toEqual((await other.call('/two')).body.tour)
    const second = (await other.call('?limit=2&page=2')).body
    expect(second).toMatchObject({ total: 3, tours: [{ id: 'three' }] })
    expect((await other.call('?status=true')).body).toMatchObject({ total: 1, tours: [{ id: 'two' }] })
    expect((await other.call('?search=THR')).body).toMatchObject({ total: 1, tours: [{ id: 'three' }] })
    expect((await other.call('?search=%25')).body).toMatchObject({ total: 0 })
  })

  test.each(['limit=0', 'limit=201', 'page=0', 'status=maybe', 'limit=x'])('refuses ?%s', async (query) => {
    const answer = await server.call(`?${query}`)
    expect(answer.status).toBe(400)
    expect(answer.body.errors[0].field).toBe(query.split('=')[0])
  })
})

describe('an unknown tour', () => {
  test.each([
    ['GET', '/nowhere'],
    ['PUT', '/nowhere'],
    ['DELETE', '/nowhere'],
    ['GET', '/nowhere/analytics'],
    ['GET', '/nowhere/builder'],
    ['GET', '/nowhere/preview'],
    ['POST', `${builderPath}/nowhere/step`],
    ['DELETE', `${builderPath}/nowhere/step/one`],
    ['POST', `${builderPath}/nowhere/reorder`],
    ['POST', `${builderPath}/nowhere/event`],
  ])('%s %s is 404 and names it', async (method, path) => {
    const bodies: Record<string, unknown> = {
      step: { stepId: 'new-step', stepData: { title: 'x' } },
      reorder: { order: [] },
      event: { event: 'view' },
      nowhere: { label: 'x' },
    }
    const body = method === 'POST' || method === 'PUT' ? bodies[path.split('/').at(-1) ?? ''] : undefined
    const headers = { accept: 'application/json' }
    const answer = await server.call(path, { method, body, headers, as: userWithRole('admin') })
    expect(answer.status).toBe(404)
    expect(answer.body).toMatchObject({
      success: false,
      message: 'There is no tour "nowhere".',
      errors: [{ field: 'tour', code: 'not_found' }],
    })
  })

  test('an unknown path and a wrong method have the same format', async () => {
    expect((await server.call('/a/b/c/d')).body).toMatchObject({
      success: false,
      errors: [{ code: 'not_found' }],
    })
    const wrong = await server.call('', { method: 'PATCH' })
    expect(wrong.status).toBe(405)
    expect(wrong.body.errors[0].code).toBe('method_not_allowed')
  })
})

describe('two editors', () => {
  test('an old revision is refused with the current tour', async () => {
    const { id } = await server.make({ label: 'Shared' })
    await server.put(`/${id}`, { label: 'By the first', revision: 1 })
    const late = await server.put(`/${id}`, { label: 'By the second', revision: 1 })
    expect(late.status).toBe(409)
    expect(late.body).toMatchObject({
      success: false,
      errors: [{ field: 'revision', code: 'conflict' }],
      tour: { id, label: 'By the first', revision: 2 },
    })
    expect((await server.put(`/${id}`, { label: 'Knowingly', revision: 2 })).body.tour.revision).toBe(3)
    expect((await server.put(`/${id}`, { label: 'The last writer' })).body.tour.revision).toBe(4)
  })

  test('If-Match does the same', async () => {
    const { id } = await server.make({ label: 'Tagged' })
    const put = (tag: string, body: object) => server.put(`/${id}`, body, { headers: { 'if-match': tag } })
    expect((await put('"1"', { label: 'B' })).status).toBe(200)
    expect((await put('"1"', { label: 'C' })).status).toBe(409)
    expect((await put('*', { label: 'D' })).status).toBe(200)
    expect((await put('W/"3"', { label: 'E' })).status).toBe(200)
    expect((await put('nonsense', { label: 'F' })).status).toBe(400)
    expect((await put('"4"', { label: 'F', revision: 3 })).status).toBe(400)
  })

  test('applies to steps, their order and deleting', async () => {
    const { id } = await server.make({ label: 'Guarded' })
    await server.addStep(id, { title: 'One' })
    const old = { revision: 1 }
    const step = { stepId: 'one', stepData: { title: 'Two' }, ...old }
    expect((await server.post(`${builderPath}/${id}/step`, step)).status).toBe(409)
    expect((await server.post(`${builderPath}/${id}/reorder`, { order: ['one'], ...old })).status).toBe(409)
    expect((await server.delete(`${builderPath}/${id}/step/one?revision=1`)).status).toBe(409)
    expect((await server.delete(`/${id}?revision=1`)).status).toBe(409)
    expect((await server.delete(`/${id}?revision=2`)).status).toBe(200)
  })

  test('of many concurrent writes with the same revision, one succeeds', async () => {
    const { id } = await server.make({ label: 'Contested' })
    const writers = [1, 2, 3, 4, 5, 6]
    const answers = await Promise.all(
      writers.map((n) =>
        server.put(`/${id}`, { label: `By ${n}`, revision: 1 }, { as: userWithRole('editor') }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(5)
  })
})

describe('the log', () => {
  test('has the changes of a tour, with account and address', async () => {
    const as = userWithRole('admin')
    const { body } = await server.post('', { label: 'Logged' }, { as })
    const { id } = body.tour
    await server.addStep(id)
    for (const change of [{ label: 'Renamed' }, { status: true }, { status: false }])
      await server.put(`/${id}`, change, { as })
    await server.delete(`/${id}`, { as, headers: { 'user-agent': 'a test' } })
    const { events } = await server.events.read({ after: 0, limit: 100, subject: id })
    expect(events.map(({ type }) => type)).toEqual([
      'tours.created',
      'tours.updated',
      'tours.updated',
      'tours.published',
      'tours.unpublished',
      'tours.deleted',
    ])
    expect(events.at(-1)?.data).toMatchObject({
      name: 'Renamed',
      by: expect.any(String),
      ip: '127.0.0.1',
      user_agent: 'a test',
    })
  })
})
