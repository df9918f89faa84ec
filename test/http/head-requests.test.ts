import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeHttpServer, type HttpServer, registerApi } from '#kernel/http'
import { createBareServer } from '../support/bare-server.ts'

let app: HttpServer
let origin: string
const methods: string[] = []

beforeAll(async () => {
  app = await createBareServer()
  const config = { access: { open: 'a test' } } as const
  await registerApi(app, { ...app.interfaces[0]!, name: 'things', prefixes: ['/things'] }, (routes) => {
    routes.get('/things', { config }, async ({ method }) => {
      methods.push(method)
      return { name: 'thing' }
    })
    routes.post('/things/new', { config }, async () => ({}))
  })
  origin = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => closeHttpServer(app, 1000))

const head = (path: string) => fetch(origin + path, { method: 'HEAD' })

test('HEAD has the headers of GET and no body, and needs no route of its own', async () => {
  const got = await fetch(`${origin}/things`)
  const asked = await head('/things')
  expect([asked.status, await asked.text()]).toEqual([200, ''])
  for (const name of ['content-type', 'content-length', 'x-content-type-options']) {
    expect(asked.headers.get(name), name).toBe(got.headers.get(name))
  }
  expect(asked.headers.get('content-length')).toBe(String((await got.text()).length))
  expect(methods).toEqual(['GET', 'HEAD'])
  expect(app.hasRoute({ method: 'HEAD', url: '/things' })).toBe(false)
})

test('HEAD of a path without GET is refused', async () => {
  const refused = await head('/things/new')
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST'])
  expect((await head('/things/none')).status).toBe(404)
})
