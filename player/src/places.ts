import type { Place } from './protocol.ts'

/** Where the page is, and where it goes: pages that change their address without loading are followed. */
export interface Places {
  now(): Place
  /** A page that names its routes itself says which one it shows. */
  readonly setRoute: (route: string | null) => void
  /** Looks again; for a page that changed what it declares. */
  look(): void
  /** Hears of every change; what it returns ends that. */
  onChange(listener: () => void): () => void
}

export function followPlaces(declaredRoute: () => string | null): Places {
  const listeners = new Set<() => void>()
  let named: string | null | undefined
  let last = ''

  const now = (): Place => ({
    route: named === undefined ? declaredRoute() : named,
    path: window.location.pathname,
  })

  function look(): void {
    const place = JSON.stringify(now())
    if (place === last) return
    last = place
    for (const listener of listeners) listener()
  }

  last = JSON.stringify(now())
  window.addEventListener('popstate', look)
  for (const method of ['pushState', 'replaceState'] as const) {
    const original = window.history[method]
    window.history[method] = function (...args) {
      original.apply(this, args)
      // After the page's own code, which may name the route right afterwards.
      queueMicrotask(look)
    }
  }
  return {
    now,
    look,
    setRoute(route) {
      named = route
      look()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
