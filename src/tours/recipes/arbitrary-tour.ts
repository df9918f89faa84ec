import * as fc from 'fast-check'
import { checkLabel, oneLine } from '../content/check-label.ts'
import { cleanBody } from '../content/clean-body.ts'
import { launches, locations, type Route, renumberTips, type Tip } from '../tour.ts'
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
const routes = fc
  .uniqueArray(routeName, { maxLength: 6 })
  .map((names) => names.map((route_name): Route => ({ route_name })))
const selectors = ['#a', '.b > c', '[data-x="y\'z"]', 'a:not(.b)', '*', '[title="a: b #c"]', 'é']
const selector = fc.constantFrom(...selectors)

/** Generates arbitrary valid tours. */
export const anyTour: fc.Arbitrary<RecipeTour> = routes.chain((tourRoutes) => {
  const tip = fc.record({
    id,
    label,
    body,
    selector,
    location: fc.constantFrom(...locations),
    weight: fc.constant(0),
    route: fc.constantFrom(null, ...tourRoutes.map(({ route_name }) => route_name)),
    candidates: fc.uniqueArray(selector, { maxLength: 3 }),
    target_text: fc.option(text).map((one) => oneLine(one)),
  })
  return fc.record({
    id,
    label,
    status: fc.boolean(),
    launch: fc.constantFrom(...launches),
    routes: fc.constant(tourRoutes),
    tips: fc
      .uniqueArray(tip.map(withTarget), { selector: (one) => one.id, maxLength: 6 })
      .map((tips) => renumberTips(tips)),
  })
})

/** Normalises a step as the platform does: a step in the middle of the page has no element. */
function withTarget(tip: Tip): Tip {
  if (tip.location === 'center') return { ...tip, selector: '', candidates: [], target_text: null }
  return { ...tip, candidates: tip.candidates.filter((candidate) => candidate !== tip.selector) }
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
      routes: places.map((route_name): Route => ({ route_name })),
      tips: renumberTips(
        trickyTexts.slice(tour * 4, tour * 4 + 4).map((tricky, index) =>
          withTarget({
            id: at(trickyIds, tour * 4 + index),
            label: cleanLabel(tricky),
            body: cleanBody(`${tricky}\n\n  <p>${tricky}</p>''<ul><li>a</li></ul>`),
            selector: at(selectors, tour * 4 + index),
            location: at(locations, tour + index),
            weight: 0,
            route: at([null, ...places], tour + index),
            candidates: selectors.slice(index, index + 2),
            target_text: oneLine(tricky),
          }),
        ),
      ),
    }
  },
)

/** A label must not be empty after trimming, nor contain forbidden characters. */
function cleanLabel(tricky: string): string {
  const trimmed = tricky.trim()
  return checkLabel(trimmed, 'label') === undefined ? trimmed : 'A label'
}
