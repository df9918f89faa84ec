import { createRoute, redirect } from '@tanstack/react-router'
import { readRecommendSearch } from './pages/agents/recommend/recommend-search.ts'
import { readEditorSearch, readNewFlowSearch } from './pages/flow-editor/editor-search.ts'
import { readWorkflowPageSearch } from './pages/workflow/workflow-page-search.ts'
import { readWorkflowSearch } from './pages/workflows/workflow-search.ts'
import { rootRoute } from './root-route.ts'

/** The former addresses of pages, in bookmarks, tours and messages. */
export const movedRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/flows',
    beforeLoad: ({ location: { search } }) => {
      throw redirect({ to: '/workflows', search: readWorkflowSearch({ ...search }), replace: true })
    },
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/flows/$flow',
    beforeLoad: ({ params, location: { search } }) => {
      throw redirect({
        to: '/workflows/$flow',
        params,
        search: readWorkflowPageSearch({ ...search }),
        replace: true,
      })
    },
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/flows/$flow/edit',
    beforeLoad: ({ params, location: { search } }) => {
      throw redirect({
        to: '/workflows/$flow/edit',
        params,
        search: readEditorSearch({ ...search }),
        replace: true,
      })
    },
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/new-flow',
    beforeLoad: ({ location: { search } }) => {
      throw redirect({ to: '/workflows/new', search: readNewFlowSearch({ ...search }), replace: true })
    },
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/live',
    beforeLoad: ({ location: { search } }) => {
      throw redirect({ to: '/executions', search: { view: 'live', ...search }, replace: true })
    },
  }),
] as const

/** Redirects the former tabs of the list of workflows: the run form and the recommendation have pages of their own. */
export function redirectOldWorkflows(search: Record<string, unknown>): void {
  const { run, tab } = search
  if (tab === 'advice')
    throw redirect({ to: '/agents/recommend', search: readRecommendSearch(search), replace: true })
  if (typeof run === 'string')
    throw redirect({ to: '/workflows/$flow', params: { flow: run }, search: { run: true }, replace: true })
}
