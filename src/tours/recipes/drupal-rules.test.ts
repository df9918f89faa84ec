import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { renumberTips } from '../tour.ts'
import { anyTour, runsOf, trickyTours } from './arbitrary-tour.ts'
import { buildRecipe } from './build/build-recipe.ts'
import { checkRecipe } from './check/check-recipe.ts'
import { findChanges } from './check/find-changes.ts'
import { name, tip, tour } from './check/sample-recipe.ts'
import { readTours } from './reading/read-tours.ts'
import { readContent } from './reading/recipe-content.ts'
import type { RecipeFile, RecipeTour } from './recipe-tour.ts'

const examples: [RecipeTour][] = trickyTours.map((one) => [one])

const textOf = ({ content }: RecipeFile) => Buffer.from(content).toString()
const configs = (tours: readonly RecipeTour[]) =>
  buildRecipe(name, tours).filter(({ path }) => path.startsWith('config/tour.'))

interface SiteTour {
  readonly id: string
  readonly label: string
  readonly langcode: string
  readonly routes: readonly { readonly route_name: string }[]
  readonly tips: Readonly<
    Record<string, { readonly id: string; readonly label: string; readonly body: string }>
  >
}
const siteToursOf = (given: RecipeTour) => configs([given]).map((file) => parse(textOf(file)) as SiteTour)

/** The rules of Drupal's configuration schema for labels and for texts. */
const refusedInLabels = /[^\P{C}]/u
const refusedInTexts = /[^\P{C}\t\n\r]/u

describe('an exported recipe', () => {
  test('has no character that Drupal refuses', () => {
    fc.assert(
      fc.property(anyTour, (given) => {
        for (const { label, tips } of siteToursOf(given)) {
          expect(label).not.toMatch(refusedInLabels)
          for (const step of Object.values(tips)) {
            expect(step.label).not.toMatch(refusedInLabels)
            expect(step.label.trim()).not.toBe('')
            expect(step.body).not.toMatch(refusedInTexts)
          }
        }
      }),
      { numRuns: runsOf(100), examples },
    )
  })

  test('has no character that Drupal refuses in its translations', () => {
    fc.assert(
      fc.property(anyTour, (given) => {
        const files = buildRecipe(name, [given]).filter(({ path }) => path.startsWith('config/language/'))
        const read = files.map((file) => parse(textOf(file)) as Partial<SiteTour>)
        expect(read.length).toBeGreaterThanOrEqual(given.translations.length)
        for (const { label = '', tips = {} } of read) {
          expect(label).not.toMatch(refusedInLabels)
          for (const step of Object.values(tips)) {
            expect(step.label ?? '').not.toMatch(refusedInLabels)
            expect(step.body ?? '').not.toMatch(refusedInTexts)
          }
        }
      }),
      { numRuns: runsOf(100), examples },
    )
  })

  test('is the same for a parser that reads 1_000 as a number and 2026-01-01 as a date', () => {
    fc.assert(
      fc.property(anyTour, (given) => {
        for (const file of buildRecipe(name, [given]).filter(({ path }) => path.endsWith('.yml'))) {
          const asMaps = { mapAsMap: true, uniqueKeys: true } as const
          expect(parse(textOf(file), { ...asMaps, version: '1.1' })).toEqual(parse(textOf(file), asMaps))
        }
      }),
      { numRuns: runsOf(100), examples },
    )
  })

  test('shows no step on a page that is not its own', () => {
    fc.assert(
      fc.property(anyTour, (given) => {
        const siteTours = siteToursOf(given)
        const ids = siteTours.map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
        expect(ids[0] === given.id || ids.includes(given.id)).toBe(true)
        const own = new Map(
          given.tips.map(({ id, route }) => [id, route === null ? undefined : siteName(given, route)]),
        )
        for (const { routes, tips } of siteTours) {
          for (const { id } of Object.values(tips)) {
            const page = own.get(id)
            if (page !== undefined)
              expect(new Set(routes.map(({ route_name }) => route_name))).toEqual(new Set([page]))
          }
        }
      }),
      { numRuns: runsOf(100), examples },
    )
  })

  test('restores the tours after an export of several tours', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anyTour, { selector: ({ id }) => id, minLength: 1, maxLength: 3 }),
        (given) => {
          const read = readTours(readContent(buildRecipe(name, given)))
          expect(new Map(read.map((one) => [one.id, one]))).toEqual(
            new Map(given.map((one) => [one.id, one])),
          )
        },
      ),
      { numRuns: runsOf(40) },
    )
  })
})

/** The name of a route on the site: the export of a tour that has only this route. */
function siteName(given: RecipeTour, route: string): string | undefined {
  const only = { ...given, routes: [{ route_name: route }], tips: [] }
  return siteToursOf(only)[0]?.routes[0]?.route_name
}

const withTexts = (label: string, body: string): RecipeTour => ({
  ...tour,
  tips: renumberTips([{ ...tip('a', { location: 'center', selector: '' }), label, body }]),
})

test.each([
  ['a family', '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}', '\u{1f468}\u{1f469}\u{1f467}'],
  ['a zero-width non-joiner', 'می\u200cخواهم', 'میخواهم'],
  ['a soft hyphen', 'soft\u00adhyphen', 'softhyphen'],
  ['marks of direction', 'a\u200eb\u200fc', 'abc'],
  ['a zero-width space', 'a\u200bb', 'ab'],
  ['private use', 'icon \ue000', 'icon \ufffd'],
  ['an Arabic number sign', '\u0600 12', '\ufffd 12'],
  ['allowed characters', '\u2764\ufe0f e\u0301 a\u00a0b', '\u2764\ufe0f e\u0301 a\u00a0b'],
])('%s in a label is replaced with a warning, and encoded in a body with a note', (_what, text, expected) => {
  const given = withTexts(text, `<p>${text}</p>`)
  const step = siteToursOf(given)[0]?.tips['a']
  expect(step?.label).toBe(expected)
  expect(decodeEntities(step?.body ?? '')).toBe(`<p>${text}</p>`)
  const codes = findChanges(name, [given]).map(({ severity, code, path }) => `${severity} ${code} ${path}`)
  const changes =
    text === expected
      ? []
      : ['warning characters_replaced tips.a.label', 'note characters_encoded tips.a.body']
  expect(codes).toEqual([...changes, 'note applied_again '])
  expect(checkRecipe(readContent(buildRecipe(name, [given])))).toEqual([])
})

function decodeEntities(html: string): string {
  return html.replaceAll(/&#(\d+);/g, (_entity, code: string) => String.fromCodePoint(Number(code)))
}

test('a recipe that contains such characters has an error for each text', () => {
  const files = buildRecipe(name, [withTexts('a', '<p>a</p>')]).map((file) =>
    file.path.startsWith('config/')
      ? {
          ...file,
          content: Buffer.from(
            textOf(file).replace("label: 'a'", "label: 'a\u200db'").replace('<p>a', '<p>\u2066a'),
          ),
        }
      : file,
  )
  const errors = checkRecipe(readContent(files)).filter(({ severity }) => severity === 'error')
  expect(errors.map(({ code, path }) => `${code} ${path}`)).toEqual([
    'control_characters tips.a.label',
    'control_characters tips.a.body',
  ])
  expect(errors[0]?.message).toContain('U+200D')
})

test('keys that look like numbers or dates are quoted, and others stay readable', () => {
  const ids = ['1_000', '1000', '2026_01_01', '24_7', 'yes', 'step', 'step_two', 'step-three', 'step_4']
  const given = {
    ...tour,
    tips: renumberTips(ids.map((id) => tip(id, { location: 'center', selector: '' }))),
  }
  const keys = configs([given])
    .map(textOf)
    .join()
    .match(/^ {2}\S+:$/gm)
  expect(keys?.filter((key) => !key.includes('enforced'))).toEqual([
    "  '1_000':",
    "  '1000':",
    "  '2026_01_01':",
    "  '24_7':",
    "  'yes':",
    '  step:',
    '  step_two:',
    "  'step-three':",
    "  'step_4':",
  ])
})

test('a recipe with unquoted keys and values that Drupal reads as numbers or times has an error for each', () => {
  const files = buildRecipe(name, [
    { ...tour, tips: renumberTips([tip('24_7', { location: 'center', selector: '' })]) },
  ]).map((file) =>
    file.path.startsWith('config/')
      ? {
          ...file,
          content: Buffer.from(
            textOf(file).replace("'24_7':", '24_7:').replace("label: 'Welcome'", 'label: 2026-01-01'),
          ),
        }
      : file,
  )
  const errors = checkRecipe(readContent(files)).filter(({ code }) => code === 'unquoted')
  expect(errors.map(({ path, line }) => [path, line])).toEqual([
    ['label', 8],
    ['tips.24_7', 12],
  ])
})

test('a tour over several pages becomes one tour per page, with a note', () => {
  const given: RecipeTour = {
    ...tour,
    langcode: 'pt-br',
    translations: [],
    routes: [{ route_name: '/admin/content' }, { route_name: '/admin/people' }, { route_name: '/admin' }],
    tips: renumberTips([
      tip('everywhere', { location: 'center', selector: '' }),
      { ...tip('content', { location: 'top', selector: '#a' }), route: '/admin/content' },
      { ...tip('people', { location: 'top', selector: '#b' }), route: '/admin/people' },
    ]),
  }
  expect(
    siteToursOf(given).map(({ id, langcode, routes, tips }) => [
      id,
      langcode,
      routes.map(({ route_name }) => route_name).join(),
      Object.keys(tips).join(),
    ]),
  ).toEqual([
    ['welcome', 'pt-br', 'system.admin_content', 'everywhere,content'],
    ['welcome_entity_user_collection', 'pt-br', 'entity.user.collection', 'everywhere,people'],
    ['welcome_system_admin', 'pt-br', 'system.admin', 'everywhere'],
  ])
  expect(findChanges(name, [given])).toContainEqual(
    expect.objectContaining({ severity: 'note', code: 'one_tour_per_page' }),
  )
  // A tour of the same recipe may already have the id of a part.
  const other = { ...tour, id: 'welcome_system_admin' }
  expect(configs([given, other]).map(({ path }) => path)).toEqual([
    'config/tour.tour.welcome.yml',
    'config/tour.tour.welcome_entity_user_collection.yml',
    'config/tour.tour.welcome_system_admin.yml',
    'config/tour.tour.welcome_system_admin_2.yml',
  ])
})

const codesOf = (given: RecipeTour) =>
  checkRecipe(readContent(buildRecipe(name, [given]))).map(({ code }) => code)

test('a language that not every site knows has a warning', () => {
  expect(codesOf({ ...tour, langcode: 'pt' })).toEqual(['unknown_language'])
  expect(codesOf({ ...tour, langcode: 'pt-br' })).toEqual([])
})

test('the README says how to update a tour that a site already has', () => {
  const readMe = buildRecipe(name, [tour]).find(({ path }) => path === 'README.md')
  expect(readMe === undefined ? '' : textOf(readMe)).toContain(
    'drush config:import --partial --source=../recipes/welcome_recipe/config',
  )
})

describe('translations of an exported tour', () => {
  const translated: RecipeTour = {
    ...tour,
    routes: [{ route_name: '/admin/content' }, { route_name: '/admin/people' }],
    tips: tour.tips.map((one) => ({ ...one, route: one.id === 'menu' ? '/admin/people' : '/admin/content' })),
    translations: [
      { langcode: 'de', label: 'Willkommen', tips: [{ id: 'menu', label: 'Menü', body: '<p>Hier</p>' }] },
      { langcode: 'pt', label: '', tips: [{ id: 'hello', label: 'Olá', body: '' }] },
    ],
  }
  const files = buildRecipe(name, [translated])

  test('are in the folder of the collection of their language, under the name of what they translate', () => {
    const names = new Set(configs([translated]).map(({ path }) => path.replace(/^config\//, '')))
    const translations = files.filter(({ path }) => path.startsWith('config/language/'))
    expect(translations.map(({ path }) => path)).toEqual([
      'config/language/de/tour.tour.welcome.yml',
      'config/language/pt/tour.tour.welcome.yml',
      'config/language/de/tour.tour.welcome_entity_user_collection.yml',
    ])
    for (const { path } of translations) expect(names).toContain(path.replace(/^config\/language\/\w+\//, ''))
    // A collection has translated texts alone: ids and languages are those of the tour.
    expect(translations.map((file) => parse(textOf(file)) as object)).toEqual([
      { label: 'Willkommen' },
      { tips: { hello: { label: 'Olá' } } },
      { label: 'Willkommen', tips: { menu: { label: 'Menü', body: '<p>Hier</p>' } } },
    ])
  })

  test('are not installed by the recipe, and the export and the README say what installs them', () => {
    const warnings = findChanges(name, [translated]).filter(
      ({ code }) => code === 'translation_not_installed',
    )
    expect(warnings.map(({ severity, file }) => [severity, file])).toEqual([
      ['warning', 'config/language/de/tour.tour.welcome.yml'],
      ['warning', 'config/language/pt/tour.tour.welcome.yml'],
      ['warning', 'config/language/de/tour.tour.welcome_entity_user_collection.yml'],
    ])
    const readMe = files.find(({ path }) => path === 'README.md')
    const text = readMe === undefined ? '' : textOf(readMe)
    expect(text).toContain('add the languages that the site lacks: de, pt')
    expect(text).toMatch(
      /config:export[^]*Copy the folder `recipes\/welcome_recipe\/config\/language`[^]*config:import`/,
    )
    expect(textOf(buildRecipe(name, [tour])[0] as RecipeFile)).not.toContain('Translations')
  })

  test('have a warning when their language is not one that every site knows', () => {
    const found = checkRecipe(readContent(files)).map(({ code, file }) => [code, file])
    expect(found).toContainEqual(['unknown_language', 'config/language/pt/tour.tour.welcome.yml'])
    expect(found).not.toContainEqual(['unknown_language', 'config/language/de/tour.tour.welcome.yml'])
  })
})
