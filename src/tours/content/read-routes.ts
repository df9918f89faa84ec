import { bounds, type Route } from '../tour.ts'
import type { Problems } from './problems.ts'

/** `<front>`, a path, or a route name as pages declare it. */
const routeName = /^(?:<front>|\/[^\s?#\p{C}]*|[A-Za-z0-9][A-Za-z0-9_.:-]*)$/u

/** Validates the routes of a tour. Each route may be listed once. */
export function readRoutes(given: readonly Route[], path: string, found: Problems): Route[] {
  const names = new Set<string>()
  return given.map(({ route_name: written }, index) => {
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
    return { route_name: name }
  })
}
