/**
 * Which tours belong to a page. The server asks for the tours it sends, the player for the step it shows: both by this file.
 */

/** Where a page is: the route name it declares, if it does, and its path. */
export interface PageAddress {
  readonly route: string | null
  readonly path: string
}

/**
 * Whether a route of a tour or step is this page: `<front>` is the root, what begins with `/` is a path in which `*` stands for
 * anything, and everything else is a name the page declares.
 */
export function matchesRoute(route: string, page: PageAddress): boolean {
  if (route === '<front>') return tidyPath(page.path) === '/'
  if (route.startsWith('/')) return matchesPattern(tidyPath(route), tidyPath(page.path))
  return route === page.route
}

/** Browsers read `//host`, `/\\host` and both with a tab between as another site. */
const ownPath = /^\/(?![/\\])[^\s\\*\p{C}]*$/u

/** The path that opens a route, or undefined when only the site knows: a name, or a path with a wildcard. */
export function pathOfRoute(route: string): string | undefined {
  if (route === '<front>') return '/'
  return ownPath.test(route) ? route : undefined
}

/** Addresses come encoded, routes as people type them; a slash at the end makes no other page. */
function tidyPath(path: string): string {
  const trimmed = path.length > 1 ? path.replace(/\/$/, '') : path
  try {
    return decodeURI(trimmed)
  } catch {
    return trimmed
  }
}

/** Goes back to the last `*` only, so that no pattern takes more than pattern times path. */
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
