import { describe, expect, test } from 'vitest'
import { placeOn, showsOn } from './place-step.ts'
import { newStep, type TourDocument } from './tour-document.ts'

const tour = (...routes: readonly string[]): TourDocument => ({
  label: 'Tour',
  isPublished: false,
  launch: 'auto',
  routes,
  steps: [],
})
const page = (path: string, route: string | null = null) => ({ path, route })

describe('placing a new step on a page', () => {
  test('gives a tour without routes its first route, and the step no route of its own', () => {
    const { document, route } = placeOn(page('/users'), tour())
    expect([document.routes, route]).toEqual([['/users'], null])
  })

  test('uses the route name that the page declares', () => {
    expect(placeOn(page('/node/1', 'entity.node.canonical'), tour()).document.routes).toEqual([
      'entity.node.canonical',
    ])
  })

  test('gives the step no route while the tour has only this one', () => {
    expect(placeOn(page('/users/7'), tour('/users/*')).route).toBeNull()
  })

  test('adds the route of another page to the tour', () => {
    const { document, route } = placeOn(page('/roles'), tour('/users'))
    expect([document.routes, route]).toEqual([['/users', '/roles'], '/roles'])
    expect(placeOn(page('/users'), document).route).toBe('/users')
  })

  test('keeps earlier steps on the page they were made for', () => {
    const document = {
      ...tour('/users'),
      steps: [newStep('a', 'A'), { ...newStep('b', 'B'), route: '/users' }],
    }
    const second = placeOn(page('/roles'), document).document
    expect(second.steps.map(({ route }) => route)).toEqual(['/users', '/users'])
    const wherever = { ...second, steps: [newStep('a', 'A')] }
    expect(placeOn(page('/third'), wherever).document.steps[0]?.route).toBeNull()
  })

  test('adds no route to a tour that has the maximum number', () => {
    const full = tour(...Array.from({ length: 20 }, (_, index) => `/${index}`))
    expect(placeOn(page('/roles'), full)).toEqual({ document: full, route: null })
  })
})

describe('a step is shown', () => {
  test.each([
    ['on its own route', '/users/*', ['/', '/users/*'], '/users/7', true],
    ['not on others', '/users/*', ['/', '/users/*'], '/', false],
    ['wherever the tour is', null, ['/', '/users'], '/users', true],
    ['not where the tour is not', null, ['/'], '/users', false],
    ['anywhere while the tour has no routes', null, [], '/users', true],
  ] as const)('%s', (_when, route, routes, path, shows) => {
    expect(showsOn(page(path), tour(...routes), { route })).toBe(shows)
  })
})
