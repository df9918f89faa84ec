/** Indexes all routes, to distinguish a wrong method from an unknown path. Only used when no route matched. */
export interface RouteIndex {
  add(method: string | readonly string[], url: string): void
  methodsAt(path: string): readonly string[]
}

export function createRouteIndex(): RouteIndex {
  const routes: { readonly methods: readonly string[]; readonly pattern: RegExp }[] = []
  return {
    add(method, url) {
      routes.push({ methods: [method].flat(), pattern: patternOf(url) })
    },
    methodsAt(path) {
      return [...new Set(routes.flatMap((route) => (route.pattern.test(path) ? route.methods : [])))].sort()
    },
  }
}

function patternOf(url: string): RegExp {
  const source = url
    .replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/:[A-Za-z_]\w*/g, '[^/]+')
    .replaceAll('*', '.*')
  return new RegExp(`^${source}$`)
}
