import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import {
  apiKeysQuery,
  authorizationsQuery,
  type Owner,
  oauthClientsQuery,
  sessionsQuery,
} from './api/access-queries.ts'
import type { Api } from './api/api.ts'
import { auditQuery } from './api/audit-query.ts'
import { rolesQuery, usersQuery } from './api/people-queries.ts'
import { newestEventsQuery, profileQuery } from './api/queries.ts'
import { readAgentPageSearch } from './pages/agent/agent-page-search.ts'
import { readAgentSearch } from './pages/agents/agent-search.ts'
import { readApiKeySearch } from './pages/api-keys/api-key-search.ts'
import { readAuditSearch } from './pages/audit/audit-search.ts'
import { clusterQuery, readClusterSearch } from './pages/cluster/cluster-query.ts'
import { readConnectionSearch } from './pages/connections/connection-search.ts'
import { readEventSearch } from './pages/events/event-search.ts'
import { readCompareSearch } from './pages/execution/compare-search.ts'
import { readRunSearch } from './pages/execution/run-search.ts'
import { readExecutionSearch } from './pages/executions/execution-search.ts'
import { readFlowPageSearch } from './pages/flow/flow-page-search.ts'
import { readEditorSearch, readNewFlowSearch } from './pages/flow-editor/editor-search.ts'
import { readFlowSearch } from './pages/flows/flow-search.ts'
import { readHealthSearch } from './pages/health/health-search.ts'
import { readInterfaceUsageSearch } from './pages/interface-usage/interface-usage-search.ts'
import { readLiveSearch } from './pages/live/live-search.ts'
import { readMcpServerSearch } from './pages/mcp-servers/mcp-server-search.ts'
import { routesQuery } from './pages/model-routes/route-queries.ts'
import { readRouteSearch } from './pages/model-routes/route-search.ts'
import { readOauthClientSearch } from './pages/oauth-clients/oauth-client-search.ts'
import { readOverviewSearch } from './pages/overview/overview-search.ts'
import { modelsQuery, readPlaygroundSearch } from './pages/playground/models-query.ts'
import { providersQuery } from './pages/providers/provider-queries.ts'
import { readProviderSearch } from './pages/providers/provider-search.ts'
import { readRoleSearch } from './pages/roles/role-search.ts'
import { readScheduleSearch } from './pages/schedules/schedule-search.ts'
import { readTourAnalyticsSearch } from './pages/tours/analytics/tour-analytics-search.ts'
import { readTourSearch } from './pages/tours/list/tour-search.ts'
import { callDetailsQuery } from './pages/usage/usage-queries.ts'
import { readUsageSearch } from './pages/usage/usage-search.ts'
import { readUserSearch } from './pages/users/user-search.ts'
import { readDeliverySearch } from './pages/webhooks/delivery-search.ts'
import { webhooksQuery } from './pages/webhooks/webhook-calls.ts'
import { readWebhookSearch } from './pages/webhooks/webhook-search.ts'
import { readWorkflowSearch } from './pages/workflows/workflow-search.ts'
import { CrashedPage, NotFoundPage } from './shell/ErrorPages.tsx'
import { Shell } from './shell/Shell.tsx'

interface RouterContext {
  readonly api: Api
  readonly queryClient: QueryClient
}

const rootRoute = createRootRouteWithContext<RouterContext>()({
  // The profile is loaded first: it decides which pages the account can open.
  loader: ({ context: { api, queryClient } }) => void queryClient.prefetchQuery(profileQuery(api)),
  component: Shell,
  notFoundComponent: NotFoundPage,
  errorComponent: CrashedPage,
})

/** Lists show the user's own items unless the address selects those of all accounts. */
const ownDefault: Owner = 'me'

// Loaders only start the data of a page together with its code: the page itself shows loading and failure.
const pageRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/',
    validateSearch: readOverviewSearch,
    component: lazyRouteComponent(() => import('./pages/overview/OverviewPage.tsx'), 'OverviewPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/cluster',
    validateSearch: readClusterSearch,
    loader: ({ context: { api, queryClient } }) => void queryClient.prefetchQuery(clusterQuery(api)),
    component: lazyRouteComponent(() => import('./pages/cluster/ClusterPage.tsx'), 'ClusterPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/playground',
    validateSearch: readPlaygroundSearch,
    loader: ({ context: { api, queryClient } }) => {
      void queryClient.prefetchQuery(modelsQuery(api))
      void queryClient.prefetchQuery(routesQuery(api))
    },
    component: lazyRouteComponent(() => import('./pages/playground/PlaygroundPage.tsx'), 'PlaygroundPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/usage',
    validateSearch: readUsageSearch,
    component: lazyRouteComponent(() => import('./pages/usage/UsagePage.tsx'), 'UsagePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/usage/calls/$call',
    loader: ({ context: { api, queryClient }, params: { call } }) =>
      void queryClient.prefetchQuery(callDetailsQuery(api, call)),
    component: lazyRouteComponent(() => import('./pages/call/CallPage.tsx'), 'CallPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/providers',
    validateSearch: readProviderSearch,
    loader: ({ context: { api, queryClient } }) => void queryClient.prefetchQuery(providersQuery(api)),
    component: lazyRouteComponent(() => import('./pages/providers/ProvidersPage.tsx'), 'ProvidersPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/routes',
    validateSearch: readRouteSearch,
    loader: ({ context: { api, queryClient } }) => void queryClient.prefetchQuery(routesQuery(api)),
    component: lazyRouteComponent(() => import('./pages/model-routes/RoutesPage.tsx'), 'RoutesPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/events',
    validateSearch: readEventSearch,
    loaderDeps: ({ search }) => ({ type: search.type }),
    loader: ({ context: { api, queryClient }, deps }) =>
      void queryClient.prefetchQuery(newestEventsQuery(api, deps.type)),
    component: lazyRouteComponent(() => import('./pages/events/EventsPage.tsx'), 'EventsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/live',
    validateSearch: readLiveSearch,
    component: lazyRouteComponent(() => import('./pages/live/LivePage.tsx'), 'LivePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/webhooks',
    validateSearch: readWebhookSearch,
    loaderDeps: ({ search: { api, page = 1 } }) => ({ kind: api ?? ('workflows' as const), page }),
    loader: ({ context: { api, queryClient }, deps }) =>
      void queryClient.prefetchQuery(webhooksQuery(api, deps)),
    component: lazyRouteComponent(() => import('./pages/webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/webhooks/deliveries',
    validateSearch: readDeliverySearch,
    component: lazyRouteComponent(() => import('./pages/webhooks/DeliveriesPage.tsx'), 'DeliveriesPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/flows',
    validateSearch: readFlowSearch,
    component: lazyRouteComponent(() => import('./pages/flows/FlowsPage.tsx'), 'FlowsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/flows/$flow',
    validateSearch: readFlowPageSearch,
    component: lazyRouteComponent(() => import('./pages/flow/FlowPage.tsx'), 'FlowPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/flows/$flow/edit',
    validateSearch: readEditorSearch,
    component: lazyRouteComponent(() => import('./pages/flow-editor/EditFlowPage.tsx'), 'EditFlowPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/new-flow',
    validateSearch: readNewFlowSearch,
    component: lazyRouteComponent(() => import('./pages/flow-editor/NewFlowPage.tsx'), 'NewFlowPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/executions',
    validateSearch: readExecutionSearch,
    component: lazyRouteComponent(() => import('./pages/executions/ExecutionsPage.tsx'), 'ExecutionsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/executions/compare',
    validateSearch: readCompareSearch,
    component: lazyRouteComponent(() => import('./pages/execution/ComparePage.tsx'), 'ComparePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/executions/$execution',
    validateSearch: readRunSearch,
    component: lazyRouteComponent(() => import('./pages/execution/RunPage.tsx'), 'RunPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/schedules',
    validateSearch: readScheduleSearch,
    component: lazyRouteComponent(() => import('./pages/schedules/SchedulesPage.tsx'), 'SchedulesPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/agents',
    validateSearch: readAgentSearch,
    component: lazyRouteComponent(() => import('./pages/agents/AgentsPage.tsx'), 'AgentsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/agents/$agent',
    validateSearch: readAgentPageSearch,
    component: lazyRouteComponent(() => import('./pages/agent/AgentPage.tsx'), 'AgentPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/workflows',
    validateSearch: readWorkflowSearch,
    component: lazyRouteComponent(() => import('./pages/workflows/WorkflowsPage.tsx'), 'WorkflowsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/health',
    validateSearch: readHealthSearch,
    component: lazyRouteComponent(() => import('./pages/health/HealthPage.tsx'), 'HealthPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/interface-usage',
    validateSearch: readInterfaceUsageSearch,
    component: lazyRouteComponent(
      () => import('./pages/interface-usage/InterfaceUsagePage.tsx'),
      'InterfaceUsagePage',
    ),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/connections',
    validateSearch: readConnectionSearch,
    component: lazyRouteComponent(() => import('./pages/connections/ConnectionsPage.tsx'), 'ConnectionsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/mcp-servers',
    validateSearch: readMcpServerSearch,
    component: lazyRouteComponent(() => import('./pages/mcp-servers/McpServersPage.tsx'), 'McpServersPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/structure/recipe-onboarding/tours',
    validateSearch: readTourSearch,
    component: lazyRouteComponent(() => import('./pages/tours/list/ToursPage.tsx'), 'ToursPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/structure/recipe-onboarding/tours/templates',
    component: lazyRouteComponent(() => import('./pages/tours/templates/TemplatesPage.tsx'), 'TemplatesPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/structure/recipe-onboarding/tours/templates/$template',
    component: lazyRouteComponent(() => import('./pages/tours/templates/TemplatePage.tsx'), 'TemplatePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/structure/recipe-onboarding/tours/$tour',
    component: lazyRouteComponent(() => import('./pages/tours/list/TourPage.tsx'), 'TourPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/structure/recipe-onboarding/tours/$tour/builder',
    component: lazyRouteComponent(() => import('./pages/tours/builder/BuilderPage.tsx'), 'BuilderPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/structure/recipe-onboarding/tours/$tour/preview',
    component: lazyRouteComponent(() => import('./pages/tours/preview/PreviewPage.tsx'), 'PreviewPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/structure/recipe-onboarding/tours/$tour/export',
    component: lazyRouteComponent(() => import('./pages/tours/export/ExportPage.tsx'), 'ExportPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/structure/recipe-onboarding/tours/$tour/analytics',
    validateSearch: readTourAnalyticsSearch,
    component: lazyRouteComponent(
      () => import('./pages/tours/analytics/TourAnalyticsPage.tsx'),
      'TourAnalyticsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/api-keys',
    validateSearch: readApiKeySearch,
    loaderDeps: ({ search: { owner, page = 1 } }) => ({ owner: owner ?? ownDefault, page }),
    loader: ({ context: { api, queryClient }, deps }) =>
      void queryClient.prefetchQuery(apiKeysQuery(api, deps)),
    component: lazyRouteComponent(() => import('./pages/api-keys/ApiKeysPage.tsx'), 'ApiKeysPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/oauth-clients',
    validateSearch: readOauthClientSearch,
    loaderDeps: ({ search: { owner, page = 1 } }) => ({ owner: owner ?? ownDefault, page }),
    loader: ({ context: { api, queryClient }, deps }) =>
      void queryClient.prefetchQuery(oauthClientsQuery(api, deps)),
    component: lazyRouteComponent(
      () => import('./pages/oauth-clients/OauthClientsPage.tsx'),
      'OauthClientsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/users',
    validateSearch: readUserSearch,
    loaderDeps: ({ search: { search, page = 1 } }) => ({ search, page }),
    loader: ({ context: { api, queryClient }, deps }) =>
      void queryClient.prefetchQuery(usersQuery(api, deps)),
    component: lazyRouteComponent(() => import('./pages/users/UsersPage.tsx'), 'UsersPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/roles',
    validateSearch: readRoleSearch,
    loader: ({ context: { api, queryClient } }) => void queryClient.prefetchQuery(rolesQuery(api)),
    component: lazyRouteComponent(() => import('./pages/roles/RolesPage.tsx'), 'RolesPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/audit',
    validateSearch: readAuditSearch,
    loaderDeps: ({ search: { type, account } }) => ({ type, account }),
    loader: ({ context: { api, queryClient }, deps }) =>
      void queryClient.prefetchInfiniteQuery(auditQuery(api, deps)),
    component: lazyRouteComponent(() => import('./pages/audit/AuditPage.tsx'), 'AuditPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/profile',
    loader: ({ context: { api, queryClient } }) => {
      void queryClient.prefetchQuery(sessionsQuery(api))
      void queryClient.prefetchQuery(authorizationsQuery(api))
    },
    component: lazyRouteComponent(() => import('./pages/profile/ProfilePage.tsx'), 'ProfilePage'),
  }),
] as const

/** Creates the router with all addresses of the console and their pages. */
export function createConsoleRouter(context: RouterContext) {
  return createRouter({
    routeTree: rootRoute.addChildren(pageRoutes),
    context,
    defaultPreload: 'intent',
    // The query cache decides whether data is fresh.
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
