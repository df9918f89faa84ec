/** Matches routes of tours against pages. Shared by the server, the player and the console. */

/** The path of a page, and the route name it declares, if any. */
export interface PageAddress {
  readonly route: string | null
  readonly path: string
}

/**
 * Whether a route of a tour or step matches the page: `<front>` is the root, a route that begins with `/` is a path in
 * which `*` matches anything, and any other route is a name that the page declares.
 */
export function matchesRoute(route: string, page: PageAddress): boolean {
  if (route === '<front>') return normalizePath(page.path) === '/'
  if (route.startsWith('/')) return matchesPattern(normalizePath(route), normalizePath(page.path))
  return route === page.route
}

/** A path on the same site: browsers read `//host`, `/\\host` and both with a tab between as another site. */
const ownPath = /^\/(?![/\\])[^\s\\*\p{C}]*$/u

/** The path of a route; undefined for a route name and for a path with a wildcard. */
export function pathOfRoute(route: string): string | undefined {
  if (route === '<front>') return '/'
  return ownPath.test(route) ? route : undefined
}

/** URLs are percent-encoded and routes are not; a trailing slash does not matter. */
function normalizePath(path: string): string {
  const trimmed = path.length > 1 ? path.replace(/\/$/, '') : path
  try {
    return decodeURI(trimmed)
  } catch {
    return trimmed
  }
}

/** Backtracks to the last `*` only, so that matching takes at most pattern length times path length. */
function matchesPattern(pattern: string, path: string): boolean {
  let [at, position, star, resume] = [0, 0, -1, 0]
  while (at < path.length) {
    if (pattern[position] === '*') {
      star = position
      resume = at
      position += 1
    } else if (pattern[position] === path[at]) {
      position += 1
      at += 1
    } else if (star >= 0) {
      resume += 1
      at = resume
      position = star + 1
    } else return false
  }
  while (pattern[position] === '*') position += 1
  return position === pattern.length
}
