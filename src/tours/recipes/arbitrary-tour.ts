import * as fc from 'fast-check'
import { checkLabel, oneLine } from '../content/check-label.ts'
import { cleanBody } from '../content/clean-body.ts'
import { inOrder, launches, locations, type Route, type Tip } from '../tour.ts'
import type { RecipeTour } from './recipe-tour.ts'

/** Words that YAML, PHP, JavaScript or HTML might take for something else. */
const trickyTexts = fc.constantFrom(
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
)
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  trickyTexts,
)
const label = text
  .map((one) => one.trim().slice(0, 200))
  .filter((one) => checkLabel(one, 'label') === undefined)
const body = fc
  .array(
    fc.oneof(
      text,
      trickyTexts,
      fc.constantFrom('<p>', '</p>', '\n', '\n\n  ', '<ul><li>a</li></ul>', ' ', "''"),
    ),
  )
  .map((parts) => cleanBody(parts.join('')))
const id = fc.oneof(
  fc.stringMatching(/^[a-z0-9_-]{1,64}$/),
  fc.constantFrom(
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
  ),
)
const routeName = fc.oneof(
  fc.constantFrom(
    '<front>',
    '/',
    '/admin/content',
    'system.admin_content',
    '/node/add/*',
    '/users/*',
    'entity.view.collection',
  ),
  fc.stringMatching(/^[a-z][a-z0-9_.:-]{0,30}$/),
  fc.stringMatching(/^\/[a-z0-9*'"{}äß:-]{0,30}$/),
)
const routes = fc
  .uniqueArray(routeName, { maxLength: 6 })
  .map((names) => names.map((route_name): Route => ({ route_name })))
const selector = fc.constantFrom(
  '#a',
  '.b > c',
  '[data-x="y\'z"]',
  'a:not(.b)',
  '*',
  '[title="a: b #c"]',
  'é',
)

/** Any tour the platform could hold. */
export const anyTour: fc.Arbitrary<RecipeTour> = routes.chain((places) => {
  const tip = fc.record({
    id,
    label,
    body,
    selector,
    location: fc.constantFrom(...locations),
    weight: fc.constant(0),
    route: fc.constantFrom(null, ...places.map(({ route_name }) => route_name)),
    candidates: fc.uniqueArray(selector, { maxLength: 3 }),
    target_text: fc.option(text).map((one) => oneLine(one)),
  })
  return fc.record({
    id,
    label,
    status: fc.boolean(),
    launch: fc.constantFrom(...launches),
    routes: fc.constant(places),
    tips: fc
      .uniqueArray(tip.map(withTarget), { selector: (one) => one.id, maxLength: 6 })
      .map((tips) => inOrder(tips)),
  })
})

/** As the platform keeps steps: what stands in the middle points at nothing. */
function withTarget(tip: Tip): Tip {
  if (tip.location === 'center') return { ...tip, selector: '', candidates: [], target_text: null }
  return { ...tip, candidates: tip.candidates.filter((candidate) => candidate !== tip.selector) }
}
