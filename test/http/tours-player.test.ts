import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { connectPlatform } from '../../player/src/platform.ts'
import { ensurePlayerBuilt } from '../../scripts/build-player.ts'
import { startToursServer, type ToursServer } from './tours-server.ts'

let server: ToursServer
beforeAll(async () => {
  await ensurePlayerBuilt({ log: () => undefined })
  server = await startToursServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const dist = new URL('../../player/dist/', import.meta.url)

/** The raw response: fetch would decompress it. */
async function load(path: string, headers: Record<string, string> = {}) {
  return await new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      request(server.url + path, { headers }, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }),
        )
      })
        .on('error', reject)
        .end()
    },
  )
}

/** A published tour on these routes. */
async function publish(id: string, routes: readonly string[]): Promise<void> {
  await server.make({ id, label: id })
  const { status } = await server.put(
    `/${id}`,
    {
      status: true,
      routes: routes.map((route_name) => ({ route_name })),
      tips: [{ label: 'Hello', body: '<p>Text</p>', location: 'center' }],
    },
    { as: 'admin' },
  )
  expect(status).toBe(200)
}

const idsOf = (body: { tours: { id: string }[] }) => body.tours.map(({ id }) => id)

describe.each(['player.js', 'picker.js'])('%s', (name) => {
  test('is compressed as the browser accepts, for pages of any site', async () => {
    const content = await readFile(new URL(name, dist))
    const plain = await load(`/tours/${name}`)
    expect(plain.status).toBe(200)
    expect(plain.body.equals(content)).toBe(true)
    expect(plain.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    })
    const gzip = await load(`/tours/${name}`, { 'accept-encoding': 'gzip' })
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzip.body).equals(content)).toBe(true)
    const brotli = await load(`/tours/${name}`, { 'accept-encoding': 'gzip, br' })
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(brotli.body).equals(content)).toBe(true)
  })

  test('is not sent again to a browser that has it', async () => {
    const { headers } = await load(`/tours/${name}`)
    const again = await load(`/tours/${name}`, { 'if-none-match': String(headers['etag']) })
    expect(again).toMatchObject({ status: 304, body: Buffer.alloc(0) })
    expect((await load(`/tours/${name}`, { 'if-none-match': 'W/"another"' })).status).toBe(200)
  })
})

test('the player stays within its size limit', async () => {
  const { length } = (await load('/tours/player.js', { 'accept-encoding': 'gzip' })).body
  console.log(`player.js: ${(length / 1024).toFixed(1)} KB gzip`)
  expect(length).toBeLessThan(27 * 1024)
})

describe('the published tours of a page', () => {
  test('are those whose routes match, without drafts', async () => {
    await publish('by_path', ['/p/*'])
    await publish('by_name', ['shop.list'])
    await publish('front', ['<front>'])
    await server.make({ id: 'draft', label: 'Draft', routes: [{ route_name: '/p/*' }] })
    const ask = async (query: string) => idsOf((await server.call(`/tours/published?${query}`)).body)
    expect(await ask('path=/p/1')).toEqual(['by_path'])
    expect(await ask('path=/p/1&route=shop.list')).toEqual(['by_path', 'by_name'])
    expect(await ask('path=/')).toEqual(['front'])
    expect(await ask('path=/elsewhere')).toEqual([])
    expect(await ask('tour=by_name')).toEqual(['by_name'])
    expect(await ask('tour=draft')).toEqual([])
    expect(await ask('tour=no_such')).toEqual([])
  })

  test('come completely, without their authors, for pages of any site, and change their ETag', async () => {
    await publish('whole', ['/whole'])
    const { status, headers, body } = await server.call('/tours/published?path=/whole')
    expect(status).toBe(200)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('cache-control')).toBe('public, max-age=10')
    const { tips, ...tour } = body.tours[0]
    const fields = ['id', 'label', 'langcode', 'launch', 'revision', 'routes', 'targeting']
    expect(Object.keys(tour).toSorted()).toEqual(fields)
    expect(tips[0]).toMatchObject({ label: 'Hello', body: '<p>Text</p>', location: 'center', weight: 1 })

    const tag = headers.get('etag') ?? ''
    const same = await load('/tours/published?path=/whole', { 'if-none-match': tag })
    expect(same).toMatchObject({ status: 304, body: Buffer.alloc(0) })
    // A Content-Length of 0 would be read as the length of the tours.
    expect(same.headers).not.toHaveProperty('content-length')
    await server.put('/whole', { label: 'Changed' }, { as: 'admin' })
    const changed = await load('/tours/published?path=/whole', { 'if-none-match': tag })
    expect(changed.status).toBe(200)
  })

  test('a request without a page is refused in the format of the API, readable to the page', async () => {
    for (const query of ['', `path=${'x'.repeat(3_000)}`, `tour=${'x'.repeat(100)}`]) {
      const { status, headers, body } = await server.call(`/tours/published?${query}`)
      expect(status).toBe(400)
      expect(body).toMatchObject({ success: false, errors: [{ message: expect.any(String) }] })
      expect(headers.get('access-control-allow-origin')).toBe('*')
    }
  })

  test('ignore cookies: the response is the same for every visitor', async () => {
    const { headers } = await server.call('/tours/published?path=/whole')
    expect(headers.get('set-cookie')).toBeNull()
    expect(headers.get('access-control-allow-credentials')).toBeNull()
  })
})

describe('the welcome tour', () => {
  test('is for the console alone, and the console has no other', async () => {
    await server.tours.seed()
    await publish('of_a_site', ['/', '/api-keys'])
    const ask = async (query: string, headers: Record<string, string> = {}) =>
      idsOf(JSON.parse((await load(`/tours/published?${query}`, headers)).body.toString()))
    for (const page of ['path=/', 'path=/api-keys']) {
      expect(await ask(page), page).toContain('of_a_site')
      expect(await ask(page), page).not.toContain('welcome')
      expect(await ask(`${page}&site=console`), page).toEqual(['welcome'])
      expect(await ask(`${page}&site=console`, { origin: server.url }), page).toEqual(['welcome'])
      expect(await ask(`${page}&site=console`, { origin: 'https://shop.example' }), page).toEqual([])
    }
    expect(await ask('tour=welcome')).toEqual([])
    expect(await ask('tour=of_a_site&site=console')).toEqual([])
    const seenBy = async (site: string | null) =>
      (
        await connectPlatform({
          base: server.url,
          site,
          language: () => 'en',
          onPlayer: () => undefined,
        }).toursAt({ path: '/', route: null })
      ).map(({ id }) => id)
    expect(await seenBy('console')).toEqual(['welcome'])
    expect(await seenBy(null)).not.toContain('welcome')
    const { headers } = await load('/tours/published?path=/&site=console')
    expect(headers['vary']).toMatch(/origin/i)
  })

  test('of a user with the same name is an ordinary tour', async () => {
    await server.tours.seed()
    await server.delete('/welcome', { as: 'admin' })
    await publish('welcome', ['/hello'])
    const { body } = await server.call('/tours/published?path=/hello')
    expect(idsOf(body)).toEqual(['welcome'])
    expect(idsOf((await server.call('/tours/published?path=/hello&site=console')).body)).toEqual([])
    await server.delete('/welcome', { as: 'admin' })
    await server.database.query("delete from tour_seeds where name = 'welcome'")
  })

  test('exists once after the first start, and stays deleted', async () => {
    const published = async () =>
      idsOf((await server.call('/tours/published?tour=welcome&site=console')).body)
    await server.tours.seed()
    expect(await published()).toEqual(['welcome'])
    await server.put('/welcome', { label: 'Our own words' }, { as: 'admin' })
    await server.tours.seed()
    expect((await server.call('/welcome', { as: 'admin' })).body.tour.label).toBe('Our own words')
    await server.delete('/welcome', { as: 'admin' })
    await server.tours.seed()
    expect(await published()).toEqual([])
  })
})
