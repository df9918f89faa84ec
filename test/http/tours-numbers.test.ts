import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builderPath, shareToursServer, type ToursServer, userWithRole } from './tours-server.ts'

let server: ToursServer
beforeAll(async () => {
  server = await shareToursServer()
})
afterAll(() => server?.[Symbol.asyncDispose]())

test('statistics of several tours come in one response, with the permission', async () => {
  const seen = await server.make({ label: 'Seen', template: 'basic', creation_method: 'template' })
  const unseen = await server.make({ label: 'Unseen' })
  await server.put(`/${seen.id}`, { status: true })
  for (const events of [['view', 'start', 'complete'], ['view', 'start'], ['view']]) {
    const play = randomUUID()
    const told = await server.post(`${builderPath}/${seen.id}/event`, {
      events: events.map((event) => ({ event, play })),
    })
    expect(told.status).toBe(202)
  }
  await server.database.query(
    `insert into tour_days (tour_id, day, views, starts) values ($1, now() - interval '40 days', 100, 100)`,
    [seen.id],
  )
  const path = `/tours/numbers?tours=${seen.id},${unseen.id},no_such`
  const { body } = await server.call(path, { as: userWithRole('analyst') })
  expect(body).toEqual({
    success: true,
    tours: [{ id: 'seen', views: 3, starts: 2, completions: 1, completion_rate: 50 }],
  })
  expect((await server.call(path, { as: userWithRole('editor') })).status).toBe(403)
  expect((await server.call('/tours/numbers', { as: userWithRole('analyst') })).status).toBe(400)
})
