import { expect, test } from 'vitest'
import type { DraftStep } from '../document/flow-document.ts'
import { detailsOf } from './step-details.ts'

const step = (id: string, more: object = {}): DraftStep => ({ id, type: 'data_transform', ...more })
const arrivals = (...steps: readonly DraftStep[]) => detailsOf(steps).map(({ arrival }) => arrival)

test('the details name the predecessors by their labels', () => {
  expect(
    arrivals(
      step('fetch', { label: 'Fetch the page' }),
      step('read'),
      step('end', { dependencies: ['fetch', 'read'] }),
    ),
  ).toEqual(['Starts immediately', 'Starts immediately', 'Runs after Fetch the page and read'])
})

test('a long list of names is shortened', () => {
  const many = Array.from({ length: 9 }, (_, index) => step(`s${index}`))
  const last = detailsOf([...many, step('end', { dependencies: many.map(({ id }) => id) })]).at(-1)
  expect(last?.arrival).toBe('Runs after s0, s1, s2, s3, s4 and 4 more')
})

test('a long list of conditions is shortened on both sides, also with equal texts', () => {
  const condition = { field: 'a', operator: 'exists', action: { type: 'continue', next_step: 'end' } }
  const conditions = Array.from({ length: 40 }, (_, index) => ({ ...condition, field: `a${index % 20}` }))
  const [deciding, end] = detailsOf([step('many', { type: 'conditional', conditions }), step('end')])
  expect(deciding?.branches.map(({ when }) => when)).toEqual([0, 1, 2, 3, 4].map((it) => `a${it} exists`))
  expect(deciding?.moreBranches).toBe(35)
  expect(end?.arrival).toBe('In 20 cases of many')
  const [twice] = detailsOf([
    step('twice', { type: 'conditional', conditions: [condition, condition] }),
    step('end'),
  ])
  expect(new Set(twice?.branches.map(({ place }) => place)).size).toBe(2)
})

const decide = step('decide', {
  type: 'conditional',
  conditions: [
    { field: 'score', operator: '<', value: 70, action: { type: 'continue', next_step: 'again' } },
    { field: 'score', operator: '>', value: 90, action: { type: 'continue' } },
  ],
  default_action: { type: 'jump_to_step', target_step: 'end' },
})

test('conditions are described on both sides', () => {
  const [deciding, again, end] = detailsOf([decide, step('again', { dependencies: ['decide'] }), step('end')])
  expect(deciding?.branches).toMatchObject([
    { when: 'score < 70', to: 'again' },
    { when: 'otherwise', to: 'end' },
  ])
  expect(again?.arrival).toBe('Runs after decide; when score < 70 from decide')
  expect(end?.arrival).toBe('Otherwise from decide')
})

test('routing is described on both sides, with the steps it adds', () => {
  const route = step('route', {
    type: 'ai_prompt',
    label: 'Route',
    routing_options: {
      deep: { add_steps: ['more'], continue_to: 'end' },
      quick: { continue_to: 'gone' },
      plain: { continue_to: 'end' },
    },
  })
  const [routing, more, end] = detailsOf([route, step('more'), step('end')])
  expect(routing?.branches).toMatchObject([
    { when: 'deep', to: 'more, then end' },
    { when: 'quick', to: '“gone”, which does not exist' },
    { when: 'plain', to: 'end' },
  ])
  expect(more).toMatchObject({ isDormant: true, arrival: 'When Route chooses deep' })
  expect(end).toMatchObject({
    isDormant: false,
    arrival: 'When Route chooses deep or plain; after more, when added',
  })
})
