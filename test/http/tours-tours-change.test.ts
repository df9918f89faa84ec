import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareToursServer, type ToursServer, userWithRole } from './tours-server.ts'

let server: ToursServer

beforeAll(async () => {
  server = await shareToursServer()
})

afterAll(() => server[Symbol.asyncDispose]())

describe('changing a tour', () => {
  test('changes the given fields only', async () => {
    const { id } = await server.make({ label: 'Before', routes: [{ route_name: '/a' }] })
    const { status, body, headers } = await server.put(`/${id}`, { label: ' After ' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      tour: { id, label: 'After', routes: [{ route_name: '/a' }], revision: 2 },
    })
    expect(headers.get('etag')).toBe('"2"')
    const launched = await server.put(`/${id}`, { launch: 'manual', routes: [] })
    expect(launched.body.tour).toMatchObject({ launch: 'manual', routes: [], revision: 3 })
  })

  test('keeps the revision when nothing changes', async () => {
    const tour = await server.make({ label: 'Still' })
    const { body } = await server.put(`/${tour.id}`, tour)
    expect(body.tour).toEqual(tour)
  })

  test('accepts a whole tour as returned', async () => {
    const { id } = await server.make({ label: 'Round trip' })
    await server.addStep(id, { title: 'One', candidates: ['.a', '.b'], target_text: 'Go' })
    const { tour } = (await server.call(`/${id}`)).body
    const { status, body } = await server.put(`/${id}`, { ...tour, label: 'Came back' })
    expect(status).toBe(200)
    expect(body.tour).toMatchObject({ label: 'Came back', tips: tour.tips })
  })

  test('replaces all steps, in the order of their weights', async () => {
    const { id } = await server.make({ label: 'Replaced' })
    const tips = [
      { label: 'Last', selector: '#z', weight: 30 },
      { label: 'First', weight: -3 },
      { id: 'kept', label: 'Middle', selector: '#m', location: 'right', weight: 7 },
    ]
    const { body } = await server.put(`/${id}`, { tips })
    expect(body.tour.tips).toMatchObject([
      { id: 'first', weight: 1, location: 'center', selector: '' },
      { id: 'kept', weight: 2, location: 'right' },
      { id: 'last', weight: 3, location: 'bottom' },
    ])
    const listed = await server.put(`/${id}`, { tips: [{ label: 'B', weight: 9 }, { label: 'A' }] })
    expect(listed.body.tour.tips.map((tip: { label: string }) => tip.label)).toEqual(['B', 'A'])
  })

  test.each([
    [{}, 400, ''],
    [{ status: 'yes' }, 400, 'status'],
    [{ label: ' ' }, 400, 'label'],
    [{ colour: 'red' }, 400, 'colour'],
    [{ tips: [{ body: 'x' }] }, 400, 'tips[0].label'],
    [{ tips: [{ label: 'x', location: 'top' }] }, 400, 'tips[0].selector'],
    [{ tips: [{ label: 'x', id: 'Not Good' }] }, 400, 'tips[0].id'],
    [{ tips: Array.from({ length: 51 }, () => ({ label: 'x' })) }, 400, 'tips'],
    [{ id: 'another' }, 422, 'id'],
    [{ recipe_id: 'nowhere' }, 422, 'recipe_id'],
    [{ tips: [{ label: 'x', id: 'new-step' }] }, 422, 'tips[0].id'],
    [{ tips: [{ label: 'x', selector: 'a[', location: 'top' }] }, 422, 'tips[0].selector'],
  ])('refuses %j with %i', async (change, status, field) => {
    const { id } = await server.make({ label: 'Kept' })
    const answer = await server.put(`/${id}`, change, { as: userWithRole('editor') })
    expect(answer.status).toBe(status)
    expect(answer.body.errors[0].field).toBe(field)
    expect((await server.call(`/${id}`, { as: userWithRole('editor') })).body.tour.revision).toBe(1)
  })

  test('keeps a route that a step needs', async () => {
    const { id } = await server.make({
      label: 'Placed steps',
      routes: [{ route_name: '/a' }, { route_name: '/b' }],
    })
    await server.addStep(id, { title: 'There', route: '/b' })
    const refused = await server.put(`/${id}`, { routes: [{ route_name: '/a' }] })
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toMatchObject([{ field: 'routes', code: 'in_use' }])
  })
})

describe('publishing', () => {
  test('requires a step', async () => {
    const { id } = await server.make({ label: 'Empty' })
    const refused = await server.put(`/${id}`, { status: true })
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toMatchObject([{ field: 'status', code: 'empty' }])
    await server.addStep(id)
    expect((await server.put(`/${id}`, { status: true })).body.tour.status).toBe(true)
    expect((await server.put(`/${id}`, { tips: [] })).status).toBe(422)
    expect((await server.put(`/${id}`, { status: false })).body.tour.status).toBe(false)
  })
})

describe('deleting', () => {
  test('removes the tour', async () => {
    const { id } = await server.make({ label: 'Short-lived' })
    const answer = await server.delete(`/${id}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({ success: true, message: expect.stringContaining('Short-lived') })
    expect((await server.call(`/${id}`)).status).toBe(404)
    expect((await server.delete(`/${id}`)).status).toBe(404)
  })
})
