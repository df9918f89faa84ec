import { findRoute, isPath } from '../drupal/routes.ts'
import { strayKeys } from './check-text.ts'
import type { Finder } from './finder.ts'

/** The pages a tour shows on. */
export function checkRoutes(routes: unknown, installed: ReadonlySet<string>, finder: Finder): void {
  if (routes === undefined || routes === null) {
    return finder.warning(['routes'], 'no_route', 'The tour has no routes, so that no page shows it.')
  }
  if (!Array.isArray(routes))
    return finder.error(['routes'], 'type', 'This must be a list; the site refuses all else.')
  if (routes.length === 0)
    finder.warning(['routes'], 'no_route', 'The tour has no routes, so that no page shows it.')
  for (const [index, route] of routes.entries()) checkRoute(route, index, { installed, finder })
}

interface Surroundings {
  readonly installed: ReadonlySet<string>
  readonly finder: Finder
}

function checkRoute(route: unknown, index: number, { installed, finder }: Surroundings): void {
  const at = (...rest: readonly string[]) => ['routes', index, ...rest]
  if (!(route instanceof Map)) return finder.error(at(), 'type', 'A route must be a map with a route_name.')
  for (const stray of strayKeys(route, ['route_name', 'route_params'])) {
    finder.error(at(stray), 'unknown_key', `A route has no "${stray}"; the site refuses it.`)
  }
  if (route.has('route_params') && !(route.get('route_params') instanceof Map)) {
    finder.error(
      at('route_params'),
      'type',
      'This must be a map, or not be there at all: the site refuses null.',
    )
  }
  const name: unknown = route.get('route_name')
  if (typeof name !== 'string' || name.trim() === '') {
    return finder.error(at('route_name'), 'required', 'This must be the name of a route.')
  }
  checkName(name, at('route_name'), { installed, finder })
}

function checkName(
  name: string,
  path: readonly (string | number)[],
  { installed, finder }: Surroundings,
): void {
  if (isPath(name)) {
    finder.warning(
      path,
      'path_as_route',
      `${name} is an address, and no route of a site is called so: the tour will not show there. Write the name of its route, such as system.admin_content for /admin/content.`,
    )
    return
  }
  const known = findRoute(name)
  if (known === undefined) {
    finder.warning(
      path,
      'unknown_route',
      `${name} comes with no fresh site. Where there is no such route, the tour does not show, and nothing says so.`,
    )
  } else if (known.module !== undefined && !installed.has(known.module)) {
    finder.note(path, 'module_needed', `The page of ${name} is there where the module ${known.module} is on.`)
  }
}
