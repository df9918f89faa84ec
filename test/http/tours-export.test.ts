import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runStatement } from '#kernel/work'
import { openRecipe } from '#tours'
import { pruneDownloads } from '../../src/tours/recipes/store/downloads.ts'
import { shareToursServer, type ToursServer, toursPath, userWithRole } from './tours-server.ts'

let server: ToursServer
beforeAll(async () => {
  server = await shareToursServer()
})
afterAll(() => server?.[Symbol.asyncDispose]())

async function makeTour(label: string, more: object = {}) {
  const tour = await server.make({ label, routes: [{ route_name: '/admin/content' }], ...more })
  await server.addStep(tour.id, { title: 'First', route: '/admin/content', candidates: ['.here'] })
  await server.addStep(tour.id, { title: 'Last', selector: '', location: 'center' })
  return tour.id as string
}

const exportIt = (id: string, body: object = {}, more: object = {}) =>
  server.post(`/${id}/export`, body, { as: userWithRole('exporter'), ...more })

async function bytesOf(
  id: string,
  body: object,
  accept: string,
): Promise<{ answer: Response; bytes: Buffer }> {
  const answer = await fetch(`${server.url}${toursPath}/${id}/export`, {
    method: 'POST',
    headers: {
      ...(await server.headersOf(userWithRole('exporter'))),
      accept,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) }
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

describe('exporting a tour', () => {
  test('returns the file and its URL', async () => {
    const id = await makeTour('Whole answer')
    const { status, body, headers } = await exportIt(id, {
      action: 'export_only',
      recipe_name: 'My recipe',
      export_format: 'zip',
    })
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(body).toEqual({
      success: true,
      action: 'export_only',
      export_format: 'zip',
      recipe_id: null,
      recipe: { name: 'My recipe', machine_name: 'my_recipe', files: expect.any(Array) },
      filename: 'my_recipe.zip',
      download_url: expect.stringMatching(
        /^http:\/\/127\.0\.0\.1:\d+\/tours\/exports\/[\w-]{43}\/my_recipe\.zip$/,
      ),
      expires_at: expect.any(String),
    })
    const left = Date.parse(body.expires_at) - Date.now()
    expect(left).toBeGreaterThan(50 * 60_000)
    expect(body.recipe.files.map(({ path }: { path: string }) => path)).toEqual([
      'README.md',
      'composer.json',
      `config/tour.tour.${id}.yml`,
      'recipe.yml',
      'tutti.tour.json',
    ])
  })

  test.each([
    ['zip', 'application/zip'],
    ['tar.gz', 'application/gzip'],
    ['json', 'application/json'],
  ])('as %s gives a valid file', async (format, type) => {
    const id = await makeTour(`As ${format}`)
    const { body } = await exportIt(id, { export_format: format })
    const answer = await fetch(body.download_url)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${body.filename}"`)
    const { findings, tours } = openRecipe(Buffer.from(await answer.arrayBuffer()))
    expect(findings.filter(({ severity }) => severity !== 'note')).toEqual([])
    expect(tours.map((tour) => tour.id)).toEqual([id])
  })

  test('returns the bytes on request, the same each time', async () => {
    const id = await makeTour('Bytes')
    for (const [accept, format] of [
      ['application/zip', undefined],
      ['application/gzip', 'tar.gz'],
    ] as const) {
      const body = format === undefined ? {} : { export_format: format }
      const { answer, bytes } = await bytesOf(id, body, accept)
      expect(answer.headers.get('content-type')).toBe(accept)
      expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="bytes\./)
      expect(openRecipe(bytes).tours).toHaveLength(1)
      expect(sha256((await bytesOf(id, body, accept)).bytes)).toBe(sha256(bytes))
    }
    expect((await bytesOf(id, { export_format: 'json' }, 'application/zip')).answer.status).toBe(422)
    const both = await bytesOf(id, {}, 'application/zip;q=0.5, application/json')
    expect(both.answer.headers.get('content-type')).toMatch(/^application\/json/)
  })

  test('writes an event', async () => {
    const id = await makeTour('Logged')
    await exportIt(id)
    const rows = await server.database.query<{ data: object }>(
      `select data from kernel_events where type = 'tours.exported' and subject = $1`,
      [id],
    )
    expect(rows.map(({ data }) => data)).toMatchObject([
      { action: 'export_only', format: 'zip', recipe_id: null },
    ])
  })
})

describe('a recipe of the platform', () => {
  test('is created, linked and updated, with all its tours', async () => {
    const id = await makeTour('Linked')
    const made = await exportIt(id, { action: 'create_new', recipe_name: 'Onboarding' })
    expect(made.body).toMatchObject({ recipe_id: 'onboarding', recipe: { machine_name: 'onboarding' } })
    const linked = await server.call(`/${id}`)
    expect(linked.body.tour.recipe_id).toBe('onboarding')

    const other = await makeTour('Second one', { recipe_id: 'onboarding' })
    const updated = await exportIt(other, { action: 'update_existing', recipe_name: 'Onboarding people' })
    expect(updated.body.recipe.name).toBe('Onboarding people')
    const file = await fetch(updated.body.download_url)
    const { tours, findings } = openRecipe(Buffer.from(await file.arrayBuffer()))
    expect(tours.map((tour) => tour.id).toSorted()).toEqual([id, other].toSorted())
    expect(findings.filter(({ severity }) => severity !== 'note')).toEqual([])

    const { body } = await server.call('/tours/recipes/onboarding')
    expect(body.recipe).toMatchObject({ id: 'onboarding', name: 'Onboarding people', revision: 2 })
    expect(body.recipe.tours).toContainEqual({ id: other, label: 'Second one', steps: 2 })

    await server.delete(`/${id}`)
    await exportIt(other, { action: 'update_existing' })
    expect((await server.call('/tours/recipes/onboarding')).body.recipe.tours).toHaveLength(1)
  })

  test('gets a unique name when it is taken', async () => {
    const names = []
    for (const label of ['Same', 'Same again']) {
      const { body } = await exportIt(await makeTour(label), {
        action: 'create_new',
        recipe_name: 'Taken name',
      })
      names.push(body.recipe_id)
    }
    expect(names).toEqual(['taken_name', 'taken_name_2'])
  })

  test('must exist to be updated', async () => {
    const { status, body } = await exportIt(await makeTour('Alone'), { action: 'update_existing' })
    expect(status).toBe(422)
    expect(body.errors).toMatchObject([{ field: 'action', code: 'not_linked' }])
  })

  test('is listed, and deleted without its tours', async () => {
    const id = await makeTour('Kept')
    const { body } = await exportIt(id, { action: 'create_new', recipe_name: 'Short lived' })
    const listed = await server.call('/tours/recipes?limit=200')
    expect(listed.body.recipes.map((recipe: { id: string }) => recipe.id)).toContain(body.recipe_id)
    expect(listed.body.total).toBeGreaterThan(0)
    expect((await server.delete(`/tours/recipes/${body.recipe_id}`)).body.success).toBe(true)
    expect((await server.call(`/tours/recipes/${body.recipe_id}`)).status).toBe(404)
    expect((await server.call(`/${id}`)).body.tour.recipe_id).toBeNull()
  })

  test('gets another name when it is taken, also when that has to be cut', async () => {
    const request = { action: 'create_new', recipe_name: `${'long'.repeat(15)}x to` }
    const id = await makeTour('Long recipe')
    expect((await exportIt(id, request)).body.recipe_id).toBe(`${'long'.repeat(15)}x_to`)
    expect((await exportIt(id, request)).body.recipe_id).toBe(`${'long'.repeat(15)}x_2`)
  })

  test('is deleted after a running export, without a deadlock', async () => {
    const id = await makeTour('Both at once')
    const { recipe_id: recipe } = (await exportIt(id, { action: 'create_new' })).body
    const { database } = server
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    let deleted: Promise<{ status: number }> | undefined
    await database.transaction(async (exporting) => {
      await runStatement(exporting, 'select from tours where id = $1 for update', [id])
      deleted = server.delete(`/tours/recipes/${recipe}`)
      await expect.poll(() => database.query(waiting, [])).not.toEqual([])
      await runStatement(exporting, 'update tour_recipes set revision = revision + 1 where id = $1', [recipe])
    })
    expect((await deleted)?.status).toBe(200)
  })
})

describe('an invalid export is refused', () => {
  test.each([
    ['an unknown tour', 'no_such_tour', {}, 404, 'tour'],
    ['an unknown action', 'refused', { action: 'destroy' }, 400, 'action'],
    ['an unknown format', 'refused', { export_format: 'rar' }, 400, 'export_format'],
    ['a name of two lines', 'refused', { recipe_name: 'a\nb' }, 400, 'recipe_name'],
    ['a name that is too long', 'refused', { recipe_name: 'a'.repeat(300) }, 400, 'recipe_name'],
    ['an unknown field', 'refused', { colour: 'red' }, 400, 'colour'],
  ])('%s', async (_what, id, body, status, field) => {
    if (id === 'refused') await server.post('', { id, label: 'Refused' })
    const answer = await exportIt(id, body)
    expect(answer.status).toBe(status)
    expect(answer.body).toMatchObject({ success: false, errors: [{ field }] })
  })

  test('without the permission', async () => {
    const id = await makeTour('Not for all')
    for (const as of [userWithRole('editor'), '']) {
      expect((await exportIt(id, {}, { as })).status).toBe(403)
      const form = await server.call(`/${id}/export`, { as, headers: { accept: 'application/json' } })
      expect(form.status).toBe(403)
    }
  })
})

describe('the export form', () => {
  test('has the files, and the equivalent configuration of a site', async () => {
    const id = await makeTour('Form', {
      routes: [{ route_name: '/admin/content' }, { route_name: '/users/*' }],
    })
    const { body } = await server.call(`/${id}/export`, { headers: { accept: 'application/json' } })
    expect(body).toMatchObject({
      success: true,
      recipe: null,
      actions: ['create_new', 'export_only'],
      defaults: { action: 'export_only', recipe_name: 'Form', export_format: 'zip' },
    })
    expect(body.findings).toMatchObject([
      { severity: 'warning', code: 'path_as_route', path: 'routes[0].route_name', line: expect.any(Number) },
      { severity: 'note', code: 'one_tour_per_page' },
      { severity: 'note', code: 'applied_again' },
      { severity: 'note', code: 'draft' },
      { severity: 'note', code: 'draft' },
    ])
  })

  test('offers to update the linked recipe of a tour', async () => {
    const id = await makeTour('Form linked')
    await exportIt(id, { action: 'create_new' })
    const { body } = await server.call(`/${id}/export`, { headers: { accept: 'application/json' } })
    expect(body.recipe).toEqual({ id: 'form_linked', name: 'Form linked' })
    expect(body.defaults.action).toBe('update_existing')
  })
})

describe('a stored export', () => {
  test('is private to its account: the exact URL is required', async () => {
    const { body } = await exportIt(await makeTour('Secret'))
    const [begin, token, filename] = /^(.*exports\/)([^/]+)\/(.*)$/.exec(body.download_url)?.slice(1) ?? []
    for (const url of [`${begin}${'a'.repeat(43)}/${filename}`, `${begin}${token}/other.zip`]) {
      expect((await fetch(url)).status).toBe(404)
    }
    const stored = await server.database.query<{ found: boolean }>(
      'select exists (select from tour_exports where token_hash = $1) as found',
      [token],
    )
    expect(stored).toEqual([{ found: false }])
  })

  test('is gone after its expiry', async () => {
    const { body } = await exportIt(await makeTour('Old'))
    await server.database.query(`update tour_exports set expires_at = now() - interval '1 second'`, [])
    const answer = await fetch(body.download_url)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ success: false, errors: [{ code: 'download_not_found' }] })
    expect(await pruneDownloads(server.database)).toBeGreaterThan(0)
    expect(await server.database.query('select 1 from tour_exports', [])).toEqual([])
  })

  test('gives way to later ones of the same account', async () => {
    const id = await makeTour('Many')
    const as = userWithRole('exporter')
    for (let count = 0; count < 23; count += 1) await exportIt(id, {}, { as })
    const rows = await server.database.query<{ waiting: number }>(
      'select count(*) as waiting from tour_exports group by account_id',
      [],
    )
    expect(rows).toEqual([{ waiting: 20 }])
  })
})
