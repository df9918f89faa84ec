import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import type { Api } from './api/api.ts'
import { newestEventsQuery, profileQuery, systemQuery } from './api/queries.ts'
import { readEventSearch } from './pages/events/event-search.ts'
import { NotFoundPage } from './pages/not-found/NotFoundPage.tsx'
import { CrashedPage } from './shell/CrashedPage.tsx'
import { Shell } from './shell/Shell.tsx'

interface RouterContext {
  readonly api: Api
  readonly queryClient: QueryClient
}

const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Shell,
  notFoundComponent: NotFoundPage,
  errorComponent: CrashedPage,
})

// Loaders only start a page's data together with its code: the page itself tells waiting and failing.
const overviewRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  loader: ({ context: { api, queryClient } }) => void queryClient.prefetchQuery(systemQuery(api)),
  component: lazyRouteComponent(() => import('./pages/overview/OverviewPage.tsx'), 'OverviewPage'),
})

const eventsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/events',
  validateSearch: readEventSearch,
  loaderDeps: ({ search }) => ({ type: search.type }),
  loader: ({ context: { api, queryClient }, deps }) =>
    void queryClient.prefetchQuery(newestEventsQuery(api, deps.type)),
  component: lazyRouteComponent(() => import('./pages/events/EventsPage.tsx'), 'EventsPage'),
})

const profileRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/profile',
  loader: ({ context: { api, queryClient } }) => void queryClient.prefetchQuery(profileQuery(api)),
  component: lazyRouteComponent(() => import('./pages/profile/ProfilePage.tsx'), 'ProfilePage'),
})

const routeTree = rootRoute.addChildren([overviewRoute, eventsRoute, profileRoute])

/** The addresses of the console and the page each one opens. */
export function createConsoleRouter(context: RouterContext) {
  return createRouter({
    routeTree,
    context,
    defaultPreload: 'intent',
    // The query cache decides what is fresh.
    defaultPreloadStaleTime: 0,
    defaultErrorComponent: CrashedPage,
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>
  }
}
