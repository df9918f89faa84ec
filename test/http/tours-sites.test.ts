import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builderPath, startToursServer, type ToursServer, userWithRole } from './tours-server.ts'

let server: ToursServer
beforeAll(async () => {
  server = await startToursServer()
})
afterAll(() => server?.[Symbol.asyncDispose]())

const admin = () => ({ as: userWithRole('admin') })
const sites = '/tours/sites'
const shop = { name: 'production', origin: 'https://shop.example' }
const staging = { name: 'staging', origin: 'http://staging.shop.example:8080' }

async function addSite(id: string, environments: readonly object[] = []) {
  const { status, body } = await server.post(sites, { id, label: `Site ${id}`, environments }, admin())
  expect(status).toBe(201)
  return body.site
}

async function publish(id: string, site_id: string, routes: readonly string[]): Promise<void> {
  await server.make({ id, label: id, site_id })
  const { status } = await server.put(
    `/${id}`,
    {
      status: true,
      routes: routes.map((route_name) => ({ route_name })),
      tips: [{ id: 'hello', label: 'Hello', body: '<p>Text</p>', location: 'center' }],
    },
    admin(),
  )
  expect(status).toBe(200)
}

async function playing(query: string, origin?: string): Promise<string[]> {
  const headers = origin === undefined ? {} : { origin }
  const { status, body } = await server.call(`/tours/published?${query}`, { as: '', headers })
  expect(status).toBe(200)
  return body.tours.map(({ id }: { id: string }) => id)
}

describe('sites', () => {
  test('exist from the beginning for pages without one and for the console', async () => {
    const { body } = await server.call(sites, { as: userWithRole('editor') })
    expect(body.sites.slice(0, 2)).toMatchObject(
      [
        { id: 'console', label: 'Console', environments: [] },
        { id: 'default', label: 'Default site', environments: [] },
      ].toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    )
  })

  test('are created, read, changed and deleted', async () => {
    const created = await server.post(
      sites,
      {
        label: 'My Shop',
        environments: [{ name: ' production ', origin: 'HTTPS://Shop.example:443/' }, staging],
      },
      admin(),
    )
    expect(created.status).toBe(201)
    expect(created.headers.get('location')).toBe('/tours/sites/my_shop')
    expect(created.body.site).toMatchObject({ id: 'my_shop', tours: 0, environments: [shop, staging] })
    const again = await server.post(sites, { label: 'My Shop' }, admin())
    expect(again.body.site.id).toBe('my_shop_2')
    const changed = await server.put(`${sites}/my_shop`, { label: 'Shop', environments: [shop] }, admin())
    expect(changed.body.site).toMatchObject({ label: 'Shop', environments: [shop] })
    const { body } = await server.call(`${sites}/my_shop`, { as: userWithRole('analyst') })
    expect(body.site).toEqual(changed.body.site)
    expect((await server.delete(`${sites}/my_shop`, admin())).status).toBe(200)
    expect((await server.call(`${sites}/my_shop`, admin())).status).toBe(404)
    expect((await server.put(`${sites}/my_shop`, { label: 'x' }, admin())).status).toBe(404)
    expect((await server.delete(`${sites}/my_shop`, admin())).status).toBe(404)
  })

  test.each([
    [{ label: '' }, 400, 'label', 'required'],
    [
      { label: 'A', environments: [{ name: 'a', origin: 'shop.example' }] },
      400,
      'environments[0].origin',
      'origin',
    ],
    [
      { label: 'A', environments: [{ name: 'a', origin: 'https://a.example/path' }] },
      400,
      'environments[0].origin',
      'origin',
    ],
    [
      { label: 'A', environments: [{ name: 'a', origin: 'https://u:p@a.example' }] },
      400,
      'environments[0].origin',
      'origin',
    ],
    [
      { label: 'A', environments: [{ name: 'a', origin: 'javascript:alert(1)' }] },
      400,
      'environments[0].origin',
      'origin',
    ],
    [
      { label: 'A', environments: [{ name: '', origin: 'https://a.example' }] },
      400,
      'environments[0].name',
      'required',
    ],
    [
      { label: 'A', environments: [shop, { ...shop, name: 'b' }] },
      422,
      'environments[1].origin',
      'duplicate',
    ],
    [
      { label: 'A', environments: [shop, { ...staging, name: 'production' }] },
      422,
      'environments[1].name',
      'duplicate',
    ],
    [{ label: 'A', id: 'default' }, 422, 'id', 'duplicate'],
    [{ label: 'A', id: 'Not An Id' }, 400, 'id', 'pattern'],
    [{ label: 'A', other: 1 }, 400, 'other', 'unknown_field'],
  ])('refuses %j with %i', async (given, status, field, code) => {
    const answer = await server.post(sites, given, admin())
    expect(answer.status).toBe(status)
    expect(answer.body.errors).toContainEqual(expect.objectContaining({ field, code }))
  })

  test('are changed by administrators of tours only', async () => {
    for (const role of ['creator', 'editor', 'deleter', 'stranger']) {
      expect((await server.post(sites, { label: 'X' }, { as: userWithRole(role) })).status, role).toBe(403)
      expect((await server.put(`${sites}/default`, { label: 'X' }, { as: userWithRole(role) })).status).toBe(
        403,
      )
      expect((await server.delete(`${sites}/default`, { as: userWithRole(role) })).status).toBe(403)
    }
    expect((await server.call(sites, { as: userWithRole('stranger') })).status).toBe(403)
  })

  test('cannot be deleted while they have tours, nor when they are built in', async () => {
    await addSite('busy')
    await server.make({ id: 'of_busy', label: 'Of busy', site_id: 'busy' })
    const refused = await server.delete(`${sites}/busy`, admin())
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toMatchObject([{ field: 'site', code: 'in_use' }])
    await server.put('/of_busy', { site_id: 'default' }, admin())
    expect((await server.delete(`${sites}/busy`, admin())).status).toBe(200)
    for (const id of ['default', 'console']) {
      expect((await server.delete(`${sites}/${id}`, admin())).body.errors).toMatchObject([
        { code: 'built_in' },
      ])
    }
    expect((await server.put(`${sites}/console`, { label: 'x' }, admin())).status).toBe(422)
  })

  test('of a tour must exist, and can be changed and filtered by', async () => {
    const unknown = await server.post('', { label: 'A', site_id: 'no_such' }, admin())
    expect(unknown.status).toBe(422)
    expect(unknown.body.errors).toMatchObject([{ field: 'site_id', code: 'unknown' }])
    await addSite('filter')
    const { id, site_id, revision } = await server.make({ label: 'Filtered' })
    expect(site_id).toBe('default')
    expect((await server.put(`/${id}`, { site_id: 'no_such' }, admin())).status).toBe(422)
    const { body } = await server.put(`/${id}`, { site_id: 'filter' }, admin())
    expect(body.tour).toMatchObject({ site_id: 'filter', revision: revision + 1 })
    const listed = await server.call('?site=filter', admin())
    expect(listed.body).toMatchObject({ total: 1, tours: [{ id }] })
    expect((await server.call(`${sites}/filter`, admin())).body.site.tours).toBe(1)
  })
})

/** Sends an event of the tour `for_shop` from a page of the origin. */
const send = async (origin: string) =>
  await server.post(
    `${builderPath}/for_shop/event`,
    { event: 'view', play: randomUUID() },
    { as: '', headers: { origin } },
  )

describe('a page', () => {
  test('gets the tours of its site alone', async () => {
    await addSite('one')
    await addSite('two')
    await publish('in_one', 'one', ['<front>'])
    await publish('in_two', 'two', ['<front>'])
    await publish('in_default', 'default', ['<front>'])
    await publish('in_console', 'console', ['<front>'])
    expect(await playing('path=/&site=one')).toEqual(['in_one'])
    expect(await playing('path=/&site=two')).toEqual(['in_two'])
    expect(await playing('path=/')).toEqual(['in_default'])
    expect(await playing('path=/&site=console')).toEqual(['in_console'])
    expect(await playing('tour=in_one&site=two')).toEqual([])
    expect(await playing('tour=in_two&site=two')).toEqual(['in_two'])
    await server.put('/in_one', { site_id: 'two' }, admin())
    expect(await playing('path=/&site=two')).toEqual(['in_one', 'in_two'])
  })

  test('of an origin that the site does not allow gets no tours, and its events are refused', async () => {
    await addSite('guarded', [shop, staging])
    await publish('for_shop', 'guarded', ['/'])
    expect(await playing('path=/&site=guarded', shop.origin)).toEqual(['for_shop'])
    expect(await playing('path=/&site=guarded', staging.origin)).toEqual(['for_shop'])
    for (const origin of ['https://evil.example', 'http://shop.example', 'null', server.url]) {
      expect(await playing('path=/&site=guarded', origin), origin).toEqual([])
    }
    expect((await send(shop.origin)).status).toBe(202)
    const refused = await send('https://evil.example')
    expect(refused.status).toBe(403)
    expect(refused.body.errors).toMatchObject([{ code: 'origin_not_allowed' }])
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
  })

  test('with a site that does not exist gets a reason that it may read', async () => {
    const { status, headers, body } = await server.call('/tours/published?path=/&site=no_such', { as: '' })
    expect(status).toBe(404)
    expect(body.errors).toMatchObject([{ field: 'site', code: 'not_found' }])
    expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  test('of another origin gets no tour of the console', async () => {
    await publish('console_only', 'console', ['/console-page'])
    expect(await playing('path=/console-page&site=console', 'https://shop.example')).toEqual([])
    expect(await playing('path=/console-page&site=console', server.url)).toEqual(['console_only'])
  })
})

test('builder and preview know the address of the first page', async () => {
  await addSite('previewed', [staging, shop])
  await publish('at_users', 'previewed', ['shop.list', '/users/*', '/users'])
  for (const page of ['builder', 'preview']) {
    const { body } = await server.call(`/at_users/${page}`, {
      ...admin(),
      headers: { accept: 'application/json' },
    })
    expect(body).toMatchObject({
      site: { id: 'previewed', environments: [staging, shop] },
      page_url: 'http://staging.shop.example:8080/users',
    })
  }
  await server.put('/at_users', { site_id: 'default' }, admin())
  const { body } = await server.call('/at_users/preview', {
    ...admin(),
    headers: { accept: 'application/json' },
  })
  expect(body.page_url).toBeNull()
})

test('the analytics of a site are those of its tours', async () => {
  await addSite('counted')
  await publish('counted_a', 'counted', ['/a'])
  await publish('counted_b', 'counted', ['/b'])
  await publish('counted_not', 'default', ['/c'])
  for (const [tour, times] of [
    ['counted_a', 3],
    ['counted_b', 1],
    ['counted_not', 2],
  ] as const) {
    const events = Array.from({ length: times }, () => ({ event: 'complete', play: randomUUID() }))
    expect((await server.post(`${builderPath}/${tour}/event`, { events }, { as: '' })).status).toBe(202)
  }
  const { status, body } = await server.call(`${sites}/counted/analytics?timeframe=7d`, {
    as: userWithRole('analyst'),
  })
  expect(status).toBe(200)
  expect(body.totals).toMatchObject({ views: 4, starts: 4, completions: 4, completion_rate: 100 })
  expect(body.tours).toMatchObject([
    { id: 'counted_a', totals: { completions: 3 } },
    { id: 'counted_b', totals: { completions: 1 } },
  ])
  expect(body.daily).toHaveLength(7)
  expect(body.daily.at(-1)).toMatchObject({ completions: 4 })
  expect((await server.call(`${sites}/counted/analytics`, { as: userWithRole('editor') })).status).toBe(403)
  expect((await server.call(`${sites}/no_such/analytics`, { as: userWithRole('analyst') })).status).toBe(404)
})
