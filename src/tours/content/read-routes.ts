import { bounds, type Route } from '../tour.ts'
import type { Findings } from './findings.ts'

/** `<front>`, a path, or a route name as pages declare it. */
const routeName = /^(?:<front>|\/[^\s?#\p{C}]*|[A-Za-z0-9][A-Za-z0-9_.:-]*)$/u

/** Reads where a tour is shown. Each place counts once. */
export function readRoutes(given: readonly Route[], path: string, found: Findings): Route[] {
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
      found.wrong.push({ path: field, message: `names "${name}" a second time`, code: 'duplicate' })
    }
    names.add(name)
    return { route_name: name }
  })
}
