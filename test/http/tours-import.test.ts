import { zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builderPath, startToursServer, type ToursServer, userWithRole } from './tours-server.ts'

let server: ToursServer
beforeAll(async () => {
  server = await startToursServer()
})
afterAll(() => server?.[Symbol.asyncDispose]())

const importIt = (tour: unknown, more: object = {}) =>
  server.post('', { creation_method: 'import', tour, ...more }, { as: userWithRole('creator') })

const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

async function makeTour(label: string) {
  const { id } = await server.make({
    label,
    launch: 'invite',
    langcode: 'pt-br',
    routes: [{ route_name: '/admin/content' }, { route_name: '/users/*' }],
  })
  await server.addStep(id, {
    title: "It's <b> & first",
    route: '/users/*',
    candidates: ['.a', '.b'],
    target_text: 'Save',
  })
  await server.addStep(id, { title: 'Last', selector: '', location: 'center' })
  const { body } = await server.call(`/${id}`)
  return body.tour
}

async function fileOf(id: string, format: string): Promise<Buffer> {
  const { body } = await server.post(
    `/${id}/export`,
    { export_format: format },
    { as: userWithRole('exporter') },
  )
  return Buffer.from(await (await fetch(body.download_url)).arrayBuffer())
}

/** The parts of a tour that do not depend on the installation. */
function contentOf({ label, routes, tips, launch, langcode }: Record<string, unknown>) {
  return { label, routes, tips, launch, langcode }
}

describe('importing a tour', () => {
  test.each(['zip', 'tar.gz', 'json'])('restores an export as %s', async (format) => {
    const tour = await makeTour(`By ${format}`)
    const file = await fileOf(tour.id, format)
    await server.delete(`/${tour.id}`)
    const { status, body } = await importIt(base64(file))
    expect(status).toBe(201)
    expect(body.tour.id).toBe(tour.id)
    expect(contentOf(body.tour)).toEqual(contentOf(tour))
    expect(body.tour.status).toBe(false)
    // Exported again, it is the same file.
    expect(Buffer.compare(await fileOf(tour.id, format), file)).toBe(0)
  })

  test('accepts a recipe as JSON and a tour as returned', async () => {
    const tour = await makeTour('As objects')
    const recipe = JSON.parse((await fileOf(tour.id, 'json')).toString())
    const fromRecipe = await importIt(recipe)
    expect(fromRecipe.body.tour.id).toBe('as_objects_2')
    expect(contentOf(fromRecipe.body.tour)).toEqual(contentOf(tour))
    const fromTour = await importIt(tour)
    expect(contentOf(fromTour.body.tour)).toEqual(contentOf(tour))
    const named = await importIt(recipe, { id: 'my_own', label: 'Mine' })
    expect(named.body.tour).toMatchObject({ id: 'my_own', label: 'Mine' })
  })

  test('sanitizes foreign content', async () => {
    const yaml = [
      'langcode: en',
      'status: true',
      'id: other',
      "label: 'Other'",
      'routes:',
      '  - route_name: system.admin',
      'tips:',
      '  a:',
      '    id: a',
      '    plugin: text',
      '    label: A',
      '    weight: 1',
      '    position: auto',
      '    body: \'<p onclick="x()">Hi<script>alert(1)</script></p>\'',
    ].join('\n')
    const zip = zipSync({ 'other/config/tour.tour.other.yml': Buffer.from(yaml) })
    const { body } = await importIt(base64(zip))
    expect(body.tour).toMatchObject({
      id: 'other',
      tips: [{ id: 'a', body: '<p>Hi</p>', location: 'center' }],
    })
  })

  test.each([
    ['no Base64', '%%%', 'invalid_archive'],
    ['no archive', base64(Buffer.from('hello')), 'invalid_archive'],
    ['a path that climbs', base64(zipSync({ '../x': new Uint8Array() })), 'invalid_archive'],
    ['a bomb', base64(zipSync({ 'a/x': new Uint8Array(40_000_000) }, { level: 9 })), 'invalid_archive'],
    ['no tour in it', base64(zipSync({ 'a/recipe.yml': Buffer.from('name: a') })), 'invalid_recipe'],
    [
      'a bomb of aliases',
      base64(zipSync({ 'a/config/tour.tour.a.yml': Buffer.from('a: &a [1]\nb: [*a, *a]') })),
      'invalid_recipe',
    ],
    [
      'two tours',
      base64(
        zipSync({
          'a/config/tour.tour.a.yml': Buffer.from('id: a'),
          'a/config/tour.tour.b.yml': Buffer.from('id: b'),
        }),
      ),
      'several_tours',
    ],
  ])('refuses %s', async (_what, tour, code) => {
    const { status, body } = await importIt(tour)
    expect(status).toBe(422)
    expect(body).toMatchObject({ success: false, errors: [{ field: 'tour', code }] })
  })

  test.each([[7], [null], [['a']], ['']])('refuses %j, which is neither text nor object', async (tour) => {
    const { status, body } = await importIt(tour)
    expect(status).toBe(400)
    expect(body.errors[0].field).toBe('tour')
  })
})

const exportedYaml = [
  'uuid: 6c3c6a3b-5ef6-4d7b-8d1c-6f7a9c8b1a2d',
  'langcode: de',
  'status: true',
  'dependencies: {  }',
  '_core:',
  '  default_config_hash: xyz',
  'id: views-ui',
  'label: Ansichten',
  'module: views_ui',
  'routes:',
  '  -',
  '    route_name: node.add',
  '    route_params:',
  '      node_type: article',
  '  -',
  '    route_name: node.add',
  '    route_params:',
  '      node_type: page',
  'tips:',
  '  main:',
  '    id: main',
  '    plugin: text',
  '    label: Eins',
  '    weight: 1',
  '    position: top-start',
  "    selector: '#main'",
  '    body: \'<h2>Eins</h2><p>Bild: <img src="a.png"></p><hr><table><tr><td>1</td></tr></table>\'',
  '  any:',
  '    id: any',
  '    plugin: text',
  '    label: Zwei',
  '    weight: 2',
  '    position: auto',
  "    selector: '#any'",
  '    body: Zwei',
].join('\n')

const importedYaml = {
  id: 'views-ui',
  label: 'Ansichten',
  langcode: 'de',
  routes: [{ route_name: 'node.add', route_params: [{ node_type: 'article' }, { node_type: 'page' }] }],
  tips: [
    {
      id: 'main',
      location: 'top',
      position: 'top-start',
      body: '<h3>Eins</h3><p>Bild: <img src="a.png" /></p><table><tbody><tr><td>1</td></tr></tbody></table>'.replace(
        /<.?tbody>/g,
        '',
      ),
    },
    { id: 'any', location: 'bottom', position: 'auto' },
  ],
}

describe('importing the configuration of a site', () => {
  test('takes a single tour.tour.NAME.yml and names what it drops', async () => {
    const { status, body } = await importIt(base64(Buffer.from(exportedYaml)), { id: 'from_yaml' })
    expect(status).toBe(201)
    expect(body.tour).toMatchObject({ ...importedYaml, id: 'from_yaml' })
    expect(body.findings.map(({ code, path }: Record<string, string>) => `${code} ${path}`)).toEqual([
      'removed_html tips.main.body',
      'route_params routes[0].route_params',
      'key_dropped module',
    ])
    // The parameters and positions are in the recipe again.
    const exported = JSON.parse((await fileOf('from_yaml', 'json')).toString())
    const yaml = exported.files.find(({ path }: { path: string }) => path.startsWith('config/')).content
    expect(yaml).toContain("node_type: 'page'")
    expect(yaml).toContain("position: 'top-start'")
    expect(yaml).toContain("position: 'auto'")
    expect(yaml).toContain("langcode: 'de'")
  })

  test('keeps route parameters and positions when the builder saves', async () => {
    const { body } = await importIt(base64(Buffer.from(exportedYaml)), { id: 'built_on' })
    await server.put('/built_on', { routes: [{ route_name: '/first' }, { route_name: 'node.add' }] })
    await server.post(`${builderPath}/built_on/step`, { stepId: 'main', stepData: { title: 'New' } })
    await server.post(`${builderPath}/built_on/step`, { stepId: 'any', stepData: { location: 'left' } })
    const { body: read } = await server.call('/built_on')
    expect(read.tour.routes).toEqual([{ route_name: '/first' }, ...body.tour.routes])
    expect(read.tour.tips).toMatchObject([
      { label: 'New', location: 'top', position: 'top-start' },
      { location: 'left', position: null },
    ])
  })

  test.each(['', 'sync/', 'site/config/sync/'])(
    'takes the folder of drush config:export, packed at "%s"',
    async (folder) => {
      const others = Array.from({ length: 400 }, (_, index) => [
        `${folder}views.view.v${index}.yml`,
        'id: [*',
      ])
      const zip = zipSync(
        Object.fromEntries(
          [
            ...others,
            [`${folder}core.extension.yml`, 'module: {}'],
            [`${folder}tour.tour.views-ui.yml`, exportedYaml],
            [`${folder}language/fr/tour.tour.views-ui.yml`, 'label: Vues\ntips:\n  main:\n    label: Un'],
            [`${folder}language/fr/tour.tour.other.yml`, 'label: Autre'],
          ].map(([path, text]) => [path, Buffer.from(text ?? '')]),
        ),
      )
      const { status, body } = await check(base64(zip))
      expect(status).toBe(200)
      expect(body.tours).toHaveLength(1)
      expect(body.sound).toBe(true)
      expect(
        body.losses.filter(({ code }: { code: string }) => code === 'translation_dropped'),
      ).toMatchObject([{ file: expect.stringMatching(/language\/fr\/tour\.tour\.other\.yml$/) }])
      const imported = await importIt(base64(zip))
      expect(imported.status).toBe(201)
      expect(imported.body.tour.tips).toMatchObject(importedYaml.tips)
      expect(imported.body.tour.translations).toEqual([
        { langcode: 'fr', label: 'Vues', tips: [{ id: 'main', label: 'Un', body: '' }] },
      ])
    },
  )

  test('says where the YAML of a tour is wrong', async () => {
    const { status, body } = await importIt(base64(Buffer.from('id: a\ntips: &x {}\n')))
    expect(status).toBe(422)
    expect(body.message).toMatch(/Anchors .* \(line 2\)/)
  })
})

const check = (recipe: unknown, as = userWithRole('creator')) =>
  server.post('/tours/recipes/check', { recipe }, { as })

describe('checking a recipe', () => {
  test('returns its errors and its tours', async () => {
    const tour = await makeTour('Checked')
    const { status, body } = await check(base64(await fileOf(tour.id, 'zip')))
    expect(status).toBe(200)
    expect(body).toMatchObject({ sound: true, format: 'zip', tours: [{ id: tour.id, launch: 'invite' }] })
    expect(body.findings.map(({ code }: { code: string }) => code)).toEqual([
      'path_as_route',
      'draft',
      'draft',
    ])
  })

  test('refuses an invalid recipe, and a caller without any permission for tours', async () => {
    expect((await check({ a: 1 })).status).toBe(422)
    expect((await check('!')).status).toBe(422)
    expect((await check(5)).status).toBe(400)
    expect((await check({}, userWithRole('stranger'))).status).toBe(403)
  })
})
