import * as fc from 'fast-check'
import { checkLabel, oneLine } from '../content/check-label.ts'
import { cleanBody } from '../content/clean-body.ts'
import { precisePosition } from '../content/positions.ts'
import { keepTranslations } from '../content/read-translations.ts'
import { noTargeting, type Targeting } from '../targeting/targeting.ts'
import { advances, launches, locations, positions, type Route, renumberTips, type Tip } from '../tour.ts'
import type { RecipeTour } from './recipe-tour.ts'

/** Texts that YAML, PHP, JavaScript or HTML could misinterpret. */
const trickyTexts = [
  'true',
  'null',
  '~',
  '1_000',
  '0x1f',
  '1e3',
  '2026-11-15',
  '12:30:45',
  '- a',
  '? a',
  'a: b',
  '#a',
  '!t',
  '&a',
  '*a',
  '<<',
  'yes',
  '.inf',
  "it's",
  '"',
  '%',
  '@',
  '`',
  '|',
  '>',
  '{{ a }}',
  '[a]',
  '\u00a0a',
  'a\u200bb',
  '😀',
  'سلام',
  '\u2028',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  'می\u200cخواهم',
  'soft\u00adhyphen \u200e\u200f \u202ax\u2069',
  'private \ue000 \u0600 \u{e0041}',
  'long enough  to be folded   at  its spaces, '.repeat(4),
  '"it\'s" long enough  to be folded   at  its\u2028spaces, '.repeat(3),
]
/** Any code point but surrogates. The unit `binary` is the same, but takes a second and 100 MB to list them all. */
const character = fc
  .integer({ max: 0x10_ffff - 0x800, min: 0 })
  .map((code) => String.fromCodePoint(code < 0xd800 ? code : code + 0x800))
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: character, maxLength: 40 }),
  fc.constantFrom(...trickyTexts),
)
const label = text
  .map((one) => one.trim().slice(0, 200))
  .filter((one) => checkLabel(one, 'label') === undefined)
const body = fc
  .array(
    fc.oneof(
      text,
      fc.constantFrom(...trickyTexts),
      fc.constantFrom('<p>', '</p>', '\n', '\n\n  ', '<ul><li>a</li></ul>', ' ', "''"),
    ),
  )
  .map((parts) => cleanBody(parts.join('')))
const trickyIds = [
  '__proto__',
  'constructor',
  '10',
  '9',
  '007',
  'null',
  'true',
  'no',
  '-',
  '--',
  '1e3',
  '0x1f',
  '1_0',
  '1_000',
  '2026_01_01',
  '24_7',
  '0x1_f',
]
const id = fc.oneof(fc.stringMatching(/^[a-z0-9_-]{1,64}$/), fc.constantFrom(...trickyIds))
const usualRoutes = [
  '<front>',
  '/',
  '/admin/content',
  'system.admin_content',
  '/node/add/*',
  '/users/*',
  'entity.view.collection',
]
const routeName = fc.oneof(
  fc.constantFrom(...usualRoutes),
  fc.stringMatching(/^[a-z][a-z0-9_.:-]{0,30}$/),
  fc.stringMatching(/^\/[a-z0-9*'"{}äß:-]{0,30}$/),
)
const paramName = fc.constantFrom('node_type', 'type', '1_000', '__proto_')
const params = fc.dictionary(paramName, fc.constantFrom('article', '2026-01-01', '1_000', 'no', ''), {
  minKeys: 1,
  maxKeys: 2,
  noNullPrototype: true,
})
const route = (route_name: string): fc.Arbitrary<Route> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant({ route_name }) },
    fc
      .uniqueArray(params, { minLength: 1, maxLength: 2, selector: (set) => JSON.stringify(set) })
      .map((route_params) => ({ route_name, route_params })),
  )
const routes = fc
  .uniqueArray(routeName, { maxLength: 6 })
  .chain((names) => fc.tuple(...names.map((name) => route(name))))
const selectors = [
  '#a',
  '.b > c',
  '[data-x="y\'z"]',
  'a:not(.b)',
  '*',
  '[title="a: b #c"]',
  'é',
  'my-app >>> #a',
]
const selector = fc.constantFrom(...selectors)

const targetings: readonly Targeting[] = [
  noTargeting,
  { ...noTargeting, frequency: 'days', days: 7, ends_at: '2031-05-20T09:30:00.000Z' },
  {
    ...noTargeting,
    conditions: [
      { attribute: 'role', operator: 'is', values: ['admin', 'true'] },
      { attribute: 'plan', operator: 'is_not', values: ['😀: 1_000'] },
    ],
    starts_at: '2030-01-01T00:00:00.000Z',
    frequency: 'always',
  },
]

/** Generates arbitrary valid tours. */
export const anyTour: fc.Arbitrary<RecipeTour> = routes
  .chain((tourRoutes) => {
    const tip = fc.record({
      id,
      label,
      body,
      selector,
      location: fc.constantFrom(...locations),
      position: fc.constantFrom(null, ...positions),
      weight: fc.constant(0),
      route: fc.constantFrom(null, ...tourRoutes.map(({ route_name }) => route_name)),
      candidates: fc.uniqueArray(selector, { maxLength: 3 }),
      target_text: fc.option(text).map((one) => oneLine(one)),
      advance: fc.constantFrom(...advances),
    })
    const translation = fc.record({
      langcode: fc.constantFrom('es', 'ja'),
      label: fc.oneof(label, fc.constant('')),
      texts: fc.array(fc.record({ label: fc.oneof(label, fc.constant('')), body }), { maxLength: 3 }),
    })
    return fc.record({
      id,
      label,
      status: fc.boolean(),
      launch: fc.constantFrom(...launches),
      langcode: fc.constantFrom('en', 'de', 'pt-br', 'zh-hans'),
      targeting: fc.constantFrom(...targetings),
      routes: fc.constant(tourRoutes),
      tips: fc
        .uniqueArray(tip.map(withTarget), { selector: (one) => one.id, maxLength: 6 })
        .map((tips) => renumberTips(tips)),
      translated: fc.uniqueArray(translation, { selector: (one) => one.langcode, maxLength: 2 }),
    })
  })
  .map(({ translated, ...tour }) => ({
    ...tour,
    translations: keepTranslations({
      tips: tour.tips,
      translations: translated
        .toSorted((one, other) => (one.langcode < other.langcode ? -1 : 1))
        .map(({ langcode, label: name, texts }) => ({
          langcode,
          label: name,
          tips: tour.tips
            .slice(0, texts.length)
            .map(({ id: tip }, index) => ({ id: tip, ...at(texts, index) })),
        })),
    }),
  }))

/** Normalises a step as the platform does: a step in the middle of the page has no element. */
function withTarget(tip: Tip): Tip {
  const found = tip.location === 'center' ? '' : tip.selector
  const position = precisePosition(tip.position, tip.location, found)
  if (found === '')
    return { ...tip, position, selector: found, candidates: [], target_text: null, advance: 'next' }
  return { ...tip, position, candidates: tip.candidates.filter((candidate) => candidate !== tip.selector) }
}

const at = <Item>(items: readonly Item[], index: number) => items[index % items.length] as Item

/** Tours that together contain every text, id, route and selector above, as the first examples of property tests. */
export const trickyTours: readonly RecipeTour[] = Array.from(
  { length: Math.ceil(trickyTexts.length / 4) },
  (_, tour) => {
    const places = usualRoutes.filter((_name, index) => index % 2 === tour % 2)
    return {
      id: at(trickyIds, tour),
      label: cleanLabel(at(trickyTexts, tour * 4)),
      status: tour % 2 === 0,
      launch: at(launches, tour),
      langcode: at(['en', 'fa'], tour),
      translations: [],
      targeting: at(targetings, tour),
      routes: places.map((route_name): Route => ({ route_name })),
      tips: renumberTips(
        trickyTexts.slice(tour * 4, tour * 4 + 4).map((tricky, index) =>
          withTarget({
            id: at(trickyIds, tour * 4 + index),
            label: cleanLabel(tricky),
            body: cleanBody(`${tricky}\n\n  <p>${tricky}</p>''<ul><li>a</li></ul>`),
            selector: at(selectors, tour * 4 + index),
            location: at(locations, tour + index),
            position: at([null, ...positions], tour + index),
            weight: 0,
            route: at([null, ...places], tour + index),
            candidates: selectors.slice(index, index + 2),
            target_text: oneLine(tricky),
            advance: at(advances, tour + index),
          }),
        ),
      ),
    }
  },
)

/** How many tours a property test takes: the core suite takes all of the above, and a third of the generated ones. */
export const runsOf = (runs: number): number =>
  process.env['TUTTI_TEST_SUITE'] === 'core' ? Math.max(trickyTours.length, Math.ceil(runs / 3)) : runs

/** A label must not be empty after trimming, nor contain forbidden characters. */
function cleanLabel(tricky: string): string {
  const trimmed = tricky.trim()
  return checkLabel(trimmed, 'label') === undefined ? trimmed : 'A label'
}
