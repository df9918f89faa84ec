import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { builderPath, startToursServer, type ToursServer, userWithRole } from './tours-server.ts'

let server: ToursServer
beforeAll(async () => {
  server = await startToursServer()
})
afterAll(() => server?.[Symbol.asyncDispose]())

const admin = () => ({ as: userWithRole('admin') })
const tips = [
  { id: 'one', label: 'One', body: '<p>First</p>', selector: '#one' },
  { id: 'two', label: 'Two', body: '<p>Second</p>', location: 'center' },
]
const german = {
  langcode: 'de',
  label: 'Rundgang',
  tips: [
    { id: 'two', label: 'Zwei', body: '' },
    { id: 'one', label: 'Eins', body: '<p>Erster<script>x</script></p>' },
  ],
}

async function makeTour(id: string, fields: object = {}) {
  await server.make({ id, label: 'Round' })
  const { status, body } = await server.put(
    `/${id}`,
    { routes: [{ route_name: '/t' }], tips, ...fields },
    admin(),
  )
  expect([status, body.errors]).toEqual([200, undefined])
  return body.tour
}

async function published(language: string) {
  const { body } = await server.call(`/tours/published?tour=chosen&language=${language}`, { as: '' })
  return body
}

describe('translations of a tour', () => {
  test('are sanitised and ordered; texts that are empty are left out', async () => {
    const tour = await makeTour('kept', {
      translations: [
        german,
        { langcode: 'ar', tips: [{ id: 'one', label: '' }] },
        { langcode: 'es', label: 'Vuelta' },
      ],
    })
    expect(tour.translations).toEqual([
      {
        langcode: 'de',
        label: 'Rundgang',
        tips: [
          { id: 'one', label: 'Eins', body: '<p>Erster</p>' },
          { id: 'two', label: 'Zwei', body: '' },
        ],
      },
      { langcode: 'es', label: 'Vuelta', tips: [] },
    ])
    const same = await server.put('/kept', { translations: tour.translations }, admin())
    expect(same.body.tour.revision).toBe(tour.revision)
  })

  test('lose the texts of deleted steps, and stay with other changes', async () => {
    await makeTour('pruned', { translations: [german] })
    const renamed = await server.put('/pruned', { label: 'Renamed' }, admin())
    expect(renamed.body.tour.translations[0].tips).toHaveLength(2)
    const { status } = await server.call(`${builderPath}/pruned/step/one`, {
      ...admin(),
      method: 'DELETE',
    })
    expect(status).toBe(200)
    const { body } = await server.call('/admin/structure/recipe-onboarding/tours/pruned', admin())
    expect(body.tour.translations).toEqual([
      { langcode: 'de', label: 'Rundgang', tips: [{ id: 'two', label: 'Zwei', body: '' }] },
    ])
  })

  test.each([
    [[{ langcode: 'DE' }], 400, 'translations[0].langcode'],
    [[{ langcode: 'de', label: 'a\nb' }], 400, 'translations[0].label'],
    [[german, german], 422, 'translations[1].langcode'],
    [[{ langcode: 'en', label: 'Own' }], 422, 'translations[0].langcode'],
    [[{ langcode: 'de', tips: [{ id: 'none', label: 'x' }] }], 422, 'translations[0].tips[0].id'],
    [
      [{ langcode: 'de', tips: [{ id: 'one', body: 'x'.repeat(10_001) }] }],
      422,
      'translations[0].tips[0].body',
    ],
    [
      Array.from({ length: 31 }, (_, index) => ({
        langcode: `x${String.fromCharCode(97 + (index % 26))}-${index}`,
      })),
      400,
      'translations',
    ],
  ])('refuses %j', async (translations, status, field) => {
    await server.make({ id: 'refused', label: 'Refused' }).catch(() => undefined)
    await server.put('/refused', { tips }, admin())
    const answer = await server.put('/refused', { translations }, admin())
    expect([answer.status, answer.body.errors.map((error: { field: string }) => error.field)]).toEqual([
      status,
      expect.arrayContaining([field]),
    ])
  })

  test('and the language of the tour must differ', async () => {
    await makeTour('differs', { translations: [german] })
    const { status, body } = await server.put('/differs', { langcode: 'de' }, admin())
    expect([status, body.errors[0].field]).toEqual([422, 'translations[0].langcode'])
  })

  test('are chosen by the language of the page, with the texts of the player', async () => {
    await makeTour('chosen', { translations: [german], status: true })
    const de = await published('de-CH')
    expect(de.tours[0]).toMatchObject({
      langcode: 'de',
      label: 'Rundgang',
      tips: [
        { label: 'Eins', body: '<p>Erster</p>' },
        { label: 'Zwei', body: '<p>Second</p>' },
      ],
    })
    expect(de.player).toMatchObject({
      language: 'de',
      texts: { next: 'Weiter' },
      theme: {},
      media_origins: [],
    })
    const other = await published('fi')
    expect(other.tours[0]).toMatchObject({ langcode: 'en', label: 'Round' })
    expect(other.player).toMatchObject({ language: 'en', texts: {} })
    expect(other.tours[0].translations).toBeUndefined()
  })
})

describe('what continues a step', () => {
  test('is kept, and only a step with an element can be used', async () => {
    const tour = await makeTour('advancing', {
      tips: [
        { ...tips[0], advance: 'click' },
        { ...tips[1], advance: 'input' },
      ],
    })
    expect(tour.tips.map(({ advance }: { advance: string }) => advance)).toEqual(['click', 'next'])
    const saved = await server.post(
      `${builderPath}/advancing/step`,
      { stepId: 'one', stepData: { title: 'Renamed' } },
      admin(),
    )
    expect(saved.body.step).toMatchObject({ label: 'Renamed', advance: 'click' })
    const refused = await server.put('/advancing', { tips: [{ ...tips[0], advance: 'hover' }] }, admin())
    expect(refused.status).toBe(400)
  })
})

describe('the player settings of a site', () => {
  test('are kept, reach the player, and stay with other changes', async () => {
    const player = {
      theme: { width: 320, light: { accent: '#aa0000' } },
      texts: [{ langcode: 'fi', texts: { next: 'Seuraava' } }],
      media_origins: ['https://CDN.example/', 'https://cdn.example'],
    }
    const kept = { ...player, media_origins: ['https://cdn.example'] }
    const created = await server.post('/tours/sites', { id: 'styled', label: 'Styled', player }, admin())
    expect([created.status, created.body.site.player]).toEqual([201, kept])
    const renamed = await server.call('/tours/sites/styled', {
      ...admin(),
      method: 'PUT',
      body: { label: 'New' },
    })
    expect(renamed.body.site).toMatchObject({ label: 'New', player: kept })
    const { body } = await server.call('/tours/published?path=/&site=styled&language=fi', { as: '' })
    expect(body.player).toEqual({
      language: 'fi',
      texts: { next: 'Seuraava' },
      theme: player.theme,
      media_origins: ['https://cdn.example'],
    })
  })

  test.each([
    [{ theme: { light: { accent: 'red; } * { display: none' } } }, 'player.theme.light.accent'],
    [{ theme: { light: { accent: 'url(https://evil.example)' } } }, 'player.theme.light.accent'],
    [{ theme: { light: { accent: 'reddish' } } }, 'player.theme.light.accent'],
    [{ theme: { dark: { text: '#12345' } } }, 'player.theme.dark.text'],
    [{ theme: { dark: { text: 'rgb(1 2)' } } }, 'player.theme.dark.text'],
    [{ theme: { font: 'x; color: red' } }, 'player.theme.font'],
    [{ theme: { width: 10_000 } }, 'player.theme.width'],
    [{ theme: { weight: 1 } }, 'player.theme.weight'],
    [{ texts: [{ langcode: 'fi', texts: { nexxt: 'x' } }] }, 'player.texts[0].texts.nexxt'],
    [{ texts: [{ langcode: 'fi', texts: { next: '' } }] }, 'player.texts[0].texts.next'],
    [{ texts: [{ langcode: 'fi', texts: { step: '{step}/{all}' } }] }, 'player.texts[0].texts.step'],
    [{ media_origins: ['https://cdn.example/path'] }, 'player.media_origins[0]'],
    [{ media_origins: ['javascript:x'] }, 'player.media_origins[0]'],
  ])('are refused: %j', async (player, field) => {
    const { status, body } = await server.post('/tours/sites', { label: 'Refused', player }, admin())
    expect([status, body.errors.map((error: { field: string }) => error.field)]).toEqual([400, [field]])
  })
})
