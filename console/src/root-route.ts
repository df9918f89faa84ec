import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext } from '@tanstack/react-router'
import type { Api } from './api/api.ts'
import { profileQuery } from './api/queries.ts'
import { CrashedPage, NotFoundPage } from './shell/ErrorPages.tsx'
import { Shell } from './shell/Shell.tsx'

export interface RouterContext {
  readonly api: Api
  readonly queryClient: QueryClient
}

/** The layout of the console, around all pages. */
export const rootRoute = createRootRouteWithContext<RouterContext>()({
  // The profile is loaded first: it decides which pages the account can open.
  loader: ({ context: { api, queryClient } }) => void queryClient.prefetchQuery(profileQuery(api)),
  component: Shell,
  notFoundComponent: NotFoundPage,
  errorComponent: CrashedPage,
})
