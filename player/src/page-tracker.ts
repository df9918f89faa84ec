import type { Place } from './protocol.ts'

/** Tracks the path and route of the page, including navigation without a page load. */
export interface PageTracker {
  now(): Place
  /** Sets the route name, for pages that declare it by script. */
  readonly setRoute: (route: string | null) => void
  /** Checks for a change, such as of the declared route. */
  check(): void
  /** Adds a listener for changes; returns a function that removes it. */
  onChange(listener: () => void): () => void
}

export function trackPage(declaredRoute: () => string | null): PageTracker {
  const listeners = new Set<() => void>()
  let setByPage: string | null | undefined
  let last = ''

  const now = (): Place => ({
    route: setByPage === undefined ? declaredRoute() : setByPage,
    path: window.location.pathname,
  })

  function check(): void {
    const current = JSON.stringify(now())
    if (current === last) return
    last = current
    for (const listener of listeners) listener()
  }

  last = JSON.stringify(now())
  window.addEventListener('popstate', check)
  for (const method of ['pushState', 'replaceState'] as const) {
    const original = window.history[method]
    window.history[method] = function (...args) {
      original.apply(this, args)
      // Runs after the page's own code, which may set the route right afterwards.
      queueMicrotask(check)
    }
  }
  return {
    now,
    check,
    setRoute(route) {
      setByPage = route
      check()
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
