import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type IncidentsServer, startIncidentsServer } from './status-incidents-server.ts'

const hostile = `<script>alert("1")</script>&amp;'"]]><img src=x onerror=alert(1)>`

let server: IncidentsServer
let admins = 0
beforeAll(async () => {
  server = await startIncidentsServer()
  server.find({ database: 'online', ollama: 'online', openai: 'online' })
  await server.round()
})
afterAll(() => server[Symbol.asyncDispose]())

const visit = (path: string, headers: Record<string, string> = {}) => server.call(path, { as: '', headers })
const open = async (body: object) => {
  admins += 1
  const { body: made } = await server.call('/admin/llm/incidents', {
    method: 'POST',
    as: `admin${admins}`,
    body: { title: 'Slow answers', message: 'We look into it.', ...body },
  })
  return made
}
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

describe('by default', () => {
  test('the status page says that it is off, and shows nothing else', async () => {
    await using closed = await startIncidentsServer({ environment: { TUTTI_STATUS_PAGE: 'false' } })
    for (const path of [
      '/status',
      '/status.json',
      '/status/feed.atom',
      `/status/incidents/${crypto.randomUUID()}`,
    ]) {
      const response = await fetch(`${closed.url}${path}`, { headers: { accept: 'text/html' } })
      const text = await response.text()
      expect(response.status, path).toBe(404)
      expect(response.headers.get('cache-control'), path).toBe('no-store')
      expect(text, path).toMatch(/The status page is off/)
      if (path.endsWith('.json') || path.endsWith('.atom')) {
        expect(JSON.parse(text), path).toMatchObject({
          error: 'STATUS_PAGE_OFF',
          message: 'The status page is off. Administrators turn it on under Settings › Status page.',
          timestamp: expect.any(String),
        })
      } else {
        expect(response.headers.get('content-type'), path).toBe('text/html; charset=utf-8')
        expect(text, path).not.toContain('Services')
      }
    }
  })
})

describe('the overall status', () => {
  test('is operational, with the services in use by their public names', async () => {
    const { status, headers, body } = await visit('/status.json')
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('x-ratelimit-limit')).toBe('600')
    expect(body).toMatchObject({
      title: 'Status',
      url: `${server.url}/status`,
      level: 'operational',
      message: 'All services are available',
      range: '90d',
      incidents: [],
      maintenance: [],
    })
    expect(body.services.map(({ name, state }: { name: string; state: string }) => [name, state])).toEqual([
      ['Database', 'operational'],
      ['Own models', 'operational'],
      ['OpenAI models', 'operational'],
    ])
    const [first] = body.services
    expect(first.uptime).toEqual({ '24h': 100, '30d': 100, '90d': 100 })
    expect(first.history).toHaveLength(90)
    expect(first.history.at(-1)).toMatchObject({ state: 'online', uptime: 100 })
    expect((await visit('/status.json?range=24h')).body.services[0].history).toHaveLength(96)
    expect((await visit('/status.json?range=1y')).body.error).toBe('BAD_REQUEST')
  })

  test('follows an outage, maintenance, and a stopped prober', async () => {
    const level = async () => {
      const { body } = await visit('/status.json')
      return [body.level, body.message]
    }
    server.find({ database: 'online', ollama: 'offline' })
    await server.round()
    expect(await level()).toEqual(['outage', 'Some services are not available'])
    const { body } = await visit('/status.json')
    expect(body.incidents).toMatchObject([
      { title: 'Own models are not available', services: ['Own models'], state: 'investigating' },
    ])
    expect(body.incidents[0].url).toBe(`${server.url}/status/incidents/${body.incidents[0].id}`)
    expect(JSON.stringify(body)).not.toMatch(/ollama|account_id|127\.0\.0\.1:(?!\d+\/status)/)

    server.find({ database: 'online', ollama: 'online' })
    await server.round()
    expect(await level()).toEqual(['operational', 'All services are available'])
    expect((await visit('/status.json')).body.past[0]).toMatchObject({ state: 'resolved' })

    const { id } = await open({
      kind: 'maintenance',
      title: 'New disks',
      services: ['database'],
      ends_at: inMinutes(10),
    })
    expect(await level()).toEqual(['maintenance', 'Maintenance in progress'])
    expect((await visit('/status.json')).body.services[0].state).toBe('maintenance')
    await server.call(`/admin/llm/incidents/${id}`, { method: 'DELETE' })

    const byHand = await open({ impact: 'degraded' })
    expect(await level()).toEqual(['degraded', 'Some services are impaired'])
    await server.call(`/admin/llm/incidents/${byHand.id}`, { method: 'DELETE' })

    await server.database.query(`update status_services set checked_at = now() - interval '1 hour'`)
    expect(await level()).toEqual(['unknown', 'Not checked lately'])
    await server.round()
    expect((await level())[0]).toBe('operational')
  })
})

describe('texts of users', () => {
  test('are escaped in HTML, JSON and XML', async () => {
    const { id } = await open({ title: hostile, message: `${hostile}\nsecond line`, services: ['openai'] })
    for (const path of ['/status', `/status/incidents/${id}`]) {
      const { status, text, headers } = await visit(path)
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(text).toContain(
        '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;amp;&#39;&quot;]]&gt;&lt;img',
      )
      expect(text).not.toMatch(/<script|<img|onerror=alert\(1\)>[^&]*</i)
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
    }
    const { body } = await visit('/status.json')
    expect(body.incidents[0]).toMatchObject({ title: hostile })
    expect(body.incidents[0].updates[0].message).toBe(`${hostile}\nsecond line`)
    await server.call(`/admin/llm/incidents/${id}`, { method: 'DELETE' })
  })
})

describe('caches', () => {
  test.each(['/status', '/status?range=30d', '/status.json', '/status/feed.atom'])(
    '%s is cached briefly, and revalidated by its ETag',
    async (path) => {
      const first = await visit(path)
      const tag = first.headers.get('etag') ?? ''
      expect(first.headers.get('cache-control')).toBe('public, max-age=30')
      expect(tag).toMatch(/^"[\w-]{43}"$/)
      for (const condition of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
        const again = await visit(path, { 'if-none-match': condition })
        expect([again.status, again.text]).toEqual([304, ''])
        expect(again.headers.get('etag')).toBe(tag)
        expect(again.headers.get('content-security-policy')).toBe(
          first.headers.get('content-security-policy'),
        )
      }
      expect((await visit(path, { 'if-none-match': '"x"' })).status).toBe(200)
      const { id } = await open({ title: 'Something new' })
      const changed = await visit(path, { 'if-none-match': tag })
      expect([changed.status, changed.headers.get('etag') === tag]).toEqual([200, false])
      await server.call(`/admin/llm/incidents/${id}`, { method: 'DELETE' })
    },
  )
})

test('an unknown incident and an unknown path are 404', async () => {
  for (const path of [
    `/status/incidents/${crypto.randomUUID()}`,
    '/status/incidents/nonsense',
    '/status/incidents/%3Cscript%3E',
    '/status/feed.rss',
  ]) {
    const { status, body, headers } = await visit(path, { accept: 'text/html' })
    expect([status, body.error], path).toEqual([404, 'NOT_FOUND'])
    expect(headers.get('cache-control') ?? '').not.toContain('public')
  }
  const { status, body } = await server.call('/status', { method: 'POST', as: '' })
  expect([status, body.error]).toEqual([405, 'METHOD_NOT_ALLOWED'])
})

test('a page with an invalid query shows the default', async () => {
  const [usual, odd] = [await visit('/status'), await visit('/status?range=%3Cb%3E&range=2')]
  expect([odd.status, odd.text]).toEqual([200, usual.text])
})
