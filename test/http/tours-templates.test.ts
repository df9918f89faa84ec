import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareToursServer, type ToursServer, userWithRole } from './tours-server.ts'

let server: ToursServer

beforeAll(async () => {
  server = await shareToursServer()
})

afterAll(() => server[Symbol.asyncDispose]())

const ids = ['basic', 'content_creation', 'site_building', 'configuration']

test('there are four templates', async () => {
  const { status, body } = await server.call('/templates', { as: userWithRole('analyst') })
  expect(status).toBe(200)
  expect(body.success).toBe(true)
  expect(body.total).toBe(4)
  expect(body.templates.map(({ id }: { id: string }) => id)).toEqual(ids)
})

test.each(ids)('%s can be read, and creates a tour with all its steps', async (id) => {
  const { body } = await server.call(`/templates/${id}`)
  expect(body.success).toBe(true)
  expect(body.template).toMatchObject({ id, label: expect.any(String), description: expect.any(String) })
  expect(body.template.tips.length).toBeGreaterThanOrEqual(5)
  const made = await server.post('', { label: `From ${id}`, creation_method: 'template', template: id })
  expect(made.status).toBe(201)
  expect(made.body.tour).toMatchObject({
    id: `from_${id}`,
    status: false,
    routes: body.template.routes,
    tips: body.template.tips,
  })
  const published = await server.put(`/from_${id}`, { status: true })
  expect(published.body.tour.status).toBe(true)
})

test('a tour on other pages shows the steps of a template on every page', async () => {
  const routes = [{ route_name: '/start' }]
  const { body } = await server.post('', { label: 'Elsewhere', template: 'configuration', routes })
  expect(body.tour.routes).toEqual(routes)
  expect(body.tour.tips.every(({ route }: { route: string | null }) => route === null)).toBe(true)
})

test('an unknown one is 404', async () => {
  const { status, body } = await server.call('/templates/nothing')
  expect(status).toBe(404)
  expect(body.errors).toMatchObject([{ field: 'template', code: 'not_found' }])
})
