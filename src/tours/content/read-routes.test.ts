import { expect, test } from 'vitest'
import { bounds } from '../tour.ts'
import { readRoutes } from './read-routes.ts'

const read = (route_params: Record<string, string>[]) => {
  const found = { invalid: [], unprocessable: [] }
  const routes = readRoutes([{ route_name: 'node.add', route_params }], 'routes', found)
  return { routes, found }
}

test('names of route parameters are bounded', () => {
  expect(read([{ ['k'.repeat(bounds.param)]: 'v' }]).found.invalid).toEqual([])
  expect(read([{ ['k'.repeat(bounds.param + 1)]: 'v' }]).found.invalid).toEqual([
    {
      path: 'routes[0].route_params',
      message: expect.stringContaining(`${bounds.param}`),
      code: 'maxLength',
    },
  ])
})

test('a set without parameters removes those of the route', () => {
  expect(read([{}]).routes).toEqual([{ route_name: 'node.add' }])
  expect(read([{ type: 'page' }]).routes).toEqual([
    { route_name: 'node.add', route_params: [{ type: 'page' }] },
  ])
})
