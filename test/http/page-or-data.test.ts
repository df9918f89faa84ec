import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeHttpServer, type HttpServer, registerApi } from '#kernel/http'
import { createBareServer } from '../support/bare-server.ts'

const open = { open: 'a test' } as const
let app: HttpServer
let origin: string

beforeAll(async () => {
  app = await createBareServer()
  const config = { access: open }
  await registerApi(app, { ...app.interfaces[0]!, name: 'things', prefixes: ['/things'] }, (routes) => {
    routes.get('/things', { config }, async () => 'data')
    routes.get('/things', { config, constraints: { wants: 'page' } }, async () => 'page')
    routes.get('/things/form', { config }, async () => 'page')
    routes.get('/things/form', { config, constraints: { wants: 'data' } }, async () => 'data')
    routes.get('/things/plain', { config }, async () => 'plain')
  })
  origin = await app.listen({ host: '127.0.0.1', port: 0 })
})

afterAll(() => closeHttpServer(app, 1000))

test.each([
  ['/things', 'text/html,*/*;q=0.8', 'page'],
  ['/things', 'application/json', 'data'],
  ['/things', '*/*', 'data'],
  ['/things/form', 'text/html', 'page'],
  ['/things/form', 'application/json', 'data'],
  ['/things/form', '*/*', 'page'],
  ['/things/form', '', 'page'],
  ['/things/plain', 'text/html', 'plain'],
  ['/things/plain', 'application/json', 'plain'],
])('%s with Accept "%s" is %s', async (path, accept, expected) => {
  const answer = await fetch(origin + path, { headers: { accept } })
  expect(await answer.text()).toBe(expected)
})

test('a wrong method differs from an unknown path', async () => {
  const answer = await fetch(`${origin}/things`, { method: 'DELETE', headers: { accept: 'text/html' } })
  expect(answer.status).toBe(405)
  expect(answer.headers.get('allow')).toBe('GET, HEAD')
})
