import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shareToursServer, type ToursServer, toursPath, userWithRole } from './tours-server.ts'

let server: ToursServer

beforeAll(async () => {
  server = await shareToursServer()
})

afterAll(() => server[Symbol.asyncDispose]())

describe('creating a tour', () => {
  test('returns the new draft with its URL', async () => {
    const made = await server.post('', { label: 'Getting started', creation_method: 'visual' })
    expect(made.status).toBe(201)
    expect(made.headers.get('location')).toBe(`${toursPath}/getting_started`)
    expect(made.headers.get('etag')).toBe('"1"')
    expect(made.body).toEqual({
      success: true,
      tour: {
        id: 'getting_started',
        label: 'Getting started',
        status: false,
        routes: [],
        tips: [],
        recipe_id: null,
        launch: 'auto',
        langcode: 'en',
        translations: [],
        site_id: 'default',
        targeting: { conditions: [], starts_at: null, ends_at: null, frequency: 'once', days: null },
        revision: 1,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        updated_at: made.body.tour.created_at,
        updated_by_name: expect.stringMatching(/^admin-/),
      },
    })
    expect((await server.call('/getting_started')).body).toEqual(made.body)
  })

  test('creates one for repeated requests with an Idempotency-Key', async () => {
    const options = { headers: { 'idempotency-key': 'make-one' } }
    const first = await server.post('', { label: 'Sent again' }, options)
    const again = await server.post('', { label: 'Sent again' }, options)
    expect(again.status).toBe(201)
    expect(again.headers.get('idempotent-replay')).toBe('true')
    expect(again.headers.get('location')).toBe(`${toursPath}/sent_again`)
    expect(again.body).toEqual(first.body)
    expect((await server.call('/sent_again_2')).status).toBe(404)
  })

  test('requires only a label', async () => {
    const { status, body } = await server.post('', { label: 'Only this' })
    expect(status).toBe(201)
    expect(body.tour.id).toBe('only_this')
  })

  test.each([
    ['Überblick für Größen', 'uberblick_fur_grossen'],
    ['  A  –  B  ', 'a_b'],
    ['漢字', 'tour'],
    ['Templates', 'templates_2'],
    ['long '.repeat(20), `${'long_'.repeat(12)}long`],
  ])('names the tour %j %s', async (label, id) => {
    expect((await server.post('', { label })).body.tour.id).toBe(id)
  })

  test('numbers a repeated label, also with concurrent requests', async () => {
    const numbers = Array.from({ length: 16 }, (_, index) => index + 1)
    const as = userWithRole('creator')
    const made = await Promise.all(numbers.map(() => server.post('', { label: 'Same name' }, { as })))
    expect(new Set(made.map(({ body }) => body.tour?.id))).toEqual(
      new Set(numbers.map((number) => (number === 1 ? 'same_name' : `same_name_${number}`))),
    )
  })

  test('uses the given id or reports that it is taken', async () => {
    const body = { label: 'Mine', id: 'my-own_1' }
    expect((await server.post('', body)).body.tour.id).toBe('my-own_1')
    const again = await server.post('', body)
    expect(again.status).toBe(422)
    expect(again.body).toMatchObject({ success: false, errors: [{ field: 'id', code: 'duplicate' }] })
    const reserved = await server.post('', { label: 'x', id: 'templates' })
    expect(reserved.body.errors).toMatchObject([{ field: 'id', code: 'duplicate' }])
    expect(reserved.status).toBe(422)
  })

  test('accepts routes and the start mode', async () => {
    const routes = [
      { route_name: 'system.admin_content' },
      { route_name: '/users/*' },
      { route_name: '<front>' },
    ]
    const { body } = await server.post('', { label: 'Placed', routes, launch: 'invite' })
    expect(body.tour).toMatchObject({ routes, launch: 'invite' })
  })

  test.each([
    [{}, 'label', 'required'],
    [{ label: '' }, 'label', 'required'],
    [{ label: '   ' }, 'label', 'required'],
    [{ label: 7 }, 'label', 'type'],
    [{ label: 'x'.repeat(256) }, 'label', 'maxLength'],
    [{ label: 'two\nlines' }, 'label', 'one_line'],
    [{ label: 'x', id: 'Upper' }, 'id', 'pattern'],
    [{ label: 'x', creation_method: 'magic' }, 'creation_method', 'choice'],
    [{ label: 'x', creation_method: 'template' }, 'template', 'required'],
    [{ label: 'x', creation_method: 'import' }, 'tour', 'required'],
    [{ label: 'x', creation_method: 'visual', template: 'basic' }, 'template', 'unknown_field'],
    [{ label: 'x', launch: 'soon' }, 'launch', 'choice'],
    [{ label: 'x', status: true }, 'status', 'unknown_field'],
    [{ label: 'x', routes: [{}] }, 'routes[0].route_name', 'required'],
    [{ label: 'x', routes: [{ route_name: ' ' }] }, 'routes[0].route_name', 'required'],
    [{ label: 'x', routes: [{ route_name: 'two words' }] }, 'routes[0].route_name', 'pattern'],
    [{ label: 'x', routes: [{ route_name: '/a?b' }] }, 'routes[0].route_name', 'pattern'],
    [{ label: 'x', routes: [{ route_name: `/${'a'.repeat(255)}` }] }, 'routes[0].route_name', 'maxLength'],
    [
      { label: 'x', routes: Array.from({ length: 21 }, (_, n) => ({ route_name: `/${n}` })) },
      'routes',
      'maxItems',
    ],
    [{ label: 'x', recipe_id: 5 }, 'recipe_id', 'type'],
  ])('refuses %j with 400, naming %s', async (body, field, code) => {
    const answer = await server.post('', body, { as: userWithRole('creator') })
    expect(answer.status).toBe(400)
    expect(answer.body.success).toBe(false)
    expect(answer.body.message).toContain(field)
    expect(answer.body.errors[0]).toEqual({
      field,
      message: expect.stringMatching(/ (?:is|must|does) .*\.$/),
      code,
    })
    expect(answer.body.errors[0].message.startsWith(`${field} `)).toBe(true)
  })

  test.each([
    [{ label: 'x', recipe_id: 'nowhere' }, 'recipe_id', 'unknown'],
    [{ label: 'x', creation_method: 'template', template: 'nothing' }, 'template', 'unknown'],
    [
      { label: 'x', routes: [{ route_name: '/a' }, { route_name: '/a' }] },
      'routes[1].route_name',
      'duplicate',
    ],
  ])('refuses %j with 422, naming %s', async (body, field, code) => {
    const answer = await server.post('', body)
    expect(answer.status).toBe(422)
    expect(answer.body.errors).toMatchObject([{ field, code }])
  })

  test.each([
    ['', undefined],
    ['not json', undefined],
    ['[]', undefined],
    ['"text"', undefined],
    ['null', undefined],
  ])('refuses the body %j with 400 in the same format', async (body) => {
    const answer = await server.post('', body)
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ success: false, errors: [{ code: expect.any(String) }] })
  })

  test('refuses an empty body with 400', async () => {
    const answer = await server.call('', { method: 'POST' })
    expect(answer.status).toBe(400)
    expect(answer.body.errors).toHaveLength(1)
  })

  test('links an existing recipe', async () => {
    await server.database.query(
      `insert into tour_recipes (id, name, description) values ('a_recipe', 'A recipe', 'One.')`,
    )
    const { body } = await server.post('', { label: 'Linked', recipe_id: 'a_recipe' })
    expect(body.tour.recipe_id).toBe('a_recipe')
    const freed = await server.put(`/${body.tour.id}`, { recipe_id: '' })
    expect(freed.body.tour.recipe_id).toBeNull()
  })
})

describe('importing a tour', () => {
  const tour = {
    id: 'brought',
    label: 'Brought along',
    status: true,
    launch: 'manual',
    routes: [{ route_name: '/here' }],
    tips: [
      { id: 'two', label: 'Two', body: '<p>2</p>', selector: '#b', location: 'left', weight: 9 },
      {
        id: 'one',
        label: 'One',
        body: '<p>1<script>x</script></p>',
        selector: null,
        location: 'center',
        weight: 4,
      },
    ],
  }

  test('accepts the format of this API, as a draft', async () => {
    const { status, body } = await server.post('', { creation_method: 'import', tour })
    expect(status).toBe(201)
    expect(body.tour).toMatchObject({
      id: 'brought',
      label: 'Brought along',
      status: false,
      launch: 'manual',
    })
    expect(body.tour.tips).toMatchObject([
      { id: 'one', weight: 1, body: '<p>1</p>', selector: '', location: 'center' },
      { id: 'two', weight: 2, selector: '#b' },
    ])
    const copy = await server.post('', { label: 'A copy', creation_method: 'import', tour: body.tour })
    expect(copy.body.tour).toMatchObject({ id: 'brought_2', label: 'A copy', tips: body.tour.tips })
  })

  test.each([
    [{ ...tour, label: undefined }, 400, 'label', 'required'],
    [{ ...tour, tips: 'none' }, 400, 'tour.tips', 'type'],
    [{ ...tour, tips: [{ id: 'a' }] }, 400, 'tour.tips[0].label', 'required'],
    [
      { ...tour, tips: [{ label: 'a', selector: '##', location: 'top' }] },
      422,
      'tour.tips[0].selector',
      'invalid_selector',
    ],
    [
      {
        ...tour,
        tips: [
          { label: 'a', id: 'x' },
          { label: 'b', id: 'x' },
        ],
      },
      422,
      'tour.tips[1].id',
      'duplicate',
    ],
    [{ ...tour, tips: [{ label: 'a', route: '/there' }] }, 422, 'tour.tips[0].route', 'unknown'],
    [{ ...tour, recipe_id: 'nowhere' }, 422, 'recipe_id', 'unknown'],
  ])('refuses %j with %i', async (given, status, field, code) => {
    const answer = await server.post('', { creation_method: 'import', tour: given })
    expect(answer.status).toBe(status)
    expect(answer.body.errors[0]).toMatchObject({ field, code })
  })
})
