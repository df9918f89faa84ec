import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareToursServer, type ToursServer, userWithRole } from './tours-server.ts'

let server: ToursServer

beforeAll(async () => {
  server = await shareToursServer()
  await server.make({ label: 'Shown', routes: [{ route_name: '/a' }] })
})

afterAll(() => server[Symbol.asyncDispose]())

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const dataFirst = ['', '/templates', '/templates/basic', '/shown', '/shown/analytics']
const pagesFirst = ['/shown/builder', '/shown/preview', '/shown/export']

async function kindOf(path: string, accept: string | undefined): Promise<string> {
  const headers = accept === undefined ? {} : { accept }
  const answer = await server.call(path, { as: userWithRole('admin'), headers })
  expect(answer.status, path).toBe(200)
  expect(answer.headers.get('vary'), path).toBe('Accept')
  return answer.headers.get('content-type')?.startsWith('text/html') === true ? 'page' : 'data'
}

describe('a URL with data and a page', () => {
  test.each(dataFirst)('%s prefers data', async (path) => {
    expect(await kindOf(path, browser)).toBe('page')
    expect(await kindOf(path, 'text/html')).toBe('page')
    expect(await kindOf(path, 'text/html, application/json;q=0.9')).toBe('page')
    expect(await kindOf(path, 'text/html;q=0.5, application/json')).toBe('data')
    expect(await kindOf(path, 'application/json')).toBe('data')
    expect(await kindOf(path, '*/*')).toBe('data')
    expect(await kindOf(path, undefined)).toBe('data')
  })

  test.each(pagesFirst)('%s prefers a page', async (path) => {
    expect(await kindOf(path, browser)).toBe('page')
    expect(await kindOf(path, '*/*')).toBe('page')
    expect(await kindOf(path, undefined)).toBe('page')
    expect(await kindOf(path, 'application/json')).toBe('data')
    expect(await kindOf(path, 'application/json, text/html;q=0.5')).toBe('data')
  })
})

describe('a page', () => {
  test.each([...dataFirst, ...pagesFirst])('%s is public, and contains nothing of the tour', async (path) => {
    const answer = await server.call(path, { as: '', headers: { accept: browser } })
    expect(answer.status).toBe(200)
    expect(answer.body).not.toContain('Shown')
  })

  test.each([...dataFirst, ...pagesFirst])('%s as data requires a permission', async (path) => {
    const answer = await server.call(path, { as: '', headers: { accept: 'application/json' } })
    expect(answer.status).toBe(403)
  })

  test('is shown with an expired credential', async () => {
    const headers = { accept: browser, authorization: 'Bearer tk_old', cookie: 'SESS=old' }
    expect((await server.call('/shown', { as: undefined, headers })).status).toBe(200)
  })

  test('may frame other sites only in the builder and the preview', async () => {
    for (const path of [...dataFirst, ...pagesFirst]) {
      const { headers } = await server.call(path, { headers: { accept: browser } })
      const framing = path === '/shown/builder' || path === '/shown/preview'
      expect(headers.get('content-security-policy')?.includes('frame-src'), path).toBe(framing)
    }
  })

  test('counts against no limit', async () => {
    const headers = { accept: browser, 'x-forwarded-for': '10.1.1.1' }
    for (let n = 0; n < 25; n += 1) {
      expect((await server.call('', { as: undefined, headers })).status).toBe(200)
    }
  })
})

test('the data of the builder is the tour with its limits', async () => {
  const { body } = await server.call('/shown/builder', { headers: { accept: 'application/json' } })
  expect(body).toMatchObject({
    success: true,
    tour: { id: 'shown' },
    warnings: [{ field: 'tips', code: 'empty' }],
    locations: ['top', 'bottom', 'left', 'right', 'center'],
    launches: ['auto', 'invite', 'manual'],
    limits: { steps: 50, routes: 20, label: 255, body: 10_000, selector: 1000, candidates: 3 },
  })
})

test('the data of the preview is the tour, published or not, with its problems', async () => {
  const { id } = await server.make({ label: 'Half done' })
  await server.addStep(id, { title: 'Silent', body: '' })
  const { body } = await server.call(`/${id}/preview`, { headers: { accept: 'application/json' } })
  expect(body).toMatchObject({ success: true, tour: { id, status: false } })
  expect(body.warnings).toMatchObject([
    { field: 'routes', code: 'no_route' },
    { field: 'tips[0].body', code: 'empty', message: expect.stringContaining('Silent') },
  ])
})
