import { bounds, type Route } from '../tour.ts'
import type { Problems } from './problems.ts'

/** `<front>`, a path, or a route name as pages declare it. */
const routeName = /^(?:<front>|\/[^\s?#\p{C}]*|[A-Za-z0-9][A-Za-z0-9_.:-]*)$/u

/**
 * Validates the routes of a tour. Each route may be listed once. A route without `route_params` keeps those that it had
 * `before`; a set without parameters removes them.
 */
export function readRoutes(
  given: readonly Route[],
  path: string,
  found: Problems,
  before: readonly Route[] = [],
): Route[] {
  const names = new Set<string>()
  return given.map(({ route_name: written, route_params }, index) => {
    const name = written.trim()
    const field = `${path}[${index}].route_name`
    if (name === '') {
      found.invalid.push({ path: field, message: 'is required', code: 'required' })
    } else if (name.length > bounds.routeName) {
      found.invalid.push({
        path: field,
        message: `must have at most ${bounds.routeName} characters`,
        code: 'maxLength',
      })
    } else if (!routeName.test(name)) {
      found.invalid.push({
        path: field,
        message: 'must be a route name such as system.admin_content, a path such as /users/*, or <front>',
        code: 'pattern',
      })
    } else if (names.has(name)) {
      found.unprocessable.push({ path: field, message: `repeats "${name}"`, code: 'duplicate' })
    }
    names.add(name)
    if (route_params?.some((set) => Object.keys(set).some((key) => key.length > bounds.param))) {
      found.invalid.push({
        path: `${path}[${index}].route_params`,
        message: `must have names of at most ${bounds.param} characters`,
        code: 'maxLength',
      })
    }
    const params = route_params ?? before.find(({ route_name }) => route_name === name)?.route_params
    return params?.some((set) => Object.keys(set).length > 0)
      ? { route_name: name, route_params: params }
      : { route_name: name }
  })
}
