import { createRoute, createRouter } from '@tanstack/react-router'
import {
  apiKeysQuery,
  authorizationsQuery,
  type Owner,
  oauthClientsQuery,
  sessionsQuery,
} from './api/access-queries.ts'
import { auditQuery } from './api/audit-query.ts'
import { rolesQuery, usersQuery } from './api/people-queries.ts'
import { newestEventsQuery } from './api/queries.ts'
import { movedRoutes, redirectOldWorkflows } from './moved-routes.ts'
import { readAgentPageSearch } from './pages/agent/agent-page-search.ts'
import { readAgentEditorSearch } from './pages/agent-editor/agent-editor-search.ts'
import { readAgentSearch } from './pages/agents/agent-search.ts'
import { readRecommendSearch } from './pages/agents/recommend/recommend-search.ts'
import { readApiKeySearch } from './pages/api-keys/api-key-search.ts'
import { readAuditSearch } from './pages/audit/audit-search.ts'
import { clusterQuery, readClusterSearch } from './pages/cluster/cluster-query.ts'
import { readConnectionSearch } from './pages/connections/connection-search.ts'
import { readEventSearch } from './pages/events/event-search.ts'
import { readCompareSearch } from './pages/execution/compare-search.ts'
import { readRunSearch } from './pages/execution/run-search.ts'
import type { ExecutionSearch } from './pages/executions/execution-search.ts'
import { readEditorSearch, readNewFlowSearch } from './pages/flow-editor/editor-search.ts'
import { readHealthSearch } from './pages/health/health-search.ts'
import { readHumanTaskSearch } from './pages/human-tasks/human-task-search.ts'
import { readInterfaceUsageSearch } from './pages/interface-usage/interface-usage-search.ts'
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
import { readSiteSearch } from './pages/tours/sites/site-search.ts'
import { callDetailsQuery } from './pages/usage/usage-queries.ts'
import { readUsageSearch } from './pages/usage/usage-search.ts'
import { readUserSearch } from './pages/users/user-search.ts'
import { readDeliverySearch } from './pages/webhooks/delivery-search.ts'
import { webhooksQuery } from './pages/webhooks/webhook-calls.ts'
import { readWebhookSearch } from './pages/webhooks/webhook-search.ts'
import { readWorkflowPageSearch } from './pages/workflow/workflow-page-search.ts'
import { readWorkflowSearch } from './pages/workflows/workflow-search.ts'
import { type RouterContext, rootRoute } from './root-route.ts'
import { CrashedPage } from './shell/ErrorPages.tsx'
import { keepTables } from './shell/keep-tables.ts'
import { lazyPage } from './shell/loading/lazy-page.tsx'

/** Lists show the user's own items unless the address selects those of all accounts. */
const ownDefault: Owner = 'me'

/**
 * The address of an item whose ID is also the name of a page below the list: a tilde, which no ID has, tells them apart.
 */
function markedParam<Name extends string>(name: Name, pageNames: readonly string[]) {
  type Params = Record<Name, string>
  const withId = (id: string) => ({ [name]: id }) as Params
  return {
    stringify: ({ [name]: id }: Params) => withId(pageNames.includes(id) ? `~${id}` : id),
    parse: ({ [name]: id }: Params) => withId(id.replace(/^~/, '')),
  }
}

// Loaders only start the data of a page together with its code: the page itself shows loading and failure.
const pageRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/',
    validateSearch: readOverviewSearch,
    component: lazyPage(() => import('./pages/overview/OverviewPage.tsx'), 'OverviewPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/cluster',
    validateSearch: readClusterSearch,
    search: keepTables('/cluster'),
    loader: ({ context: { api, queryClient } }) => void queryClient.prefetchQuery(clusterQuery(api)),
    component: lazyPage(() => import('./pages/cluster/ClusterPage.tsx'), 'ClusterPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/playground',
    validateSearch: readPlaygroundSearch,
    loader: ({ context: { api, queryClient } }) => {
      void queryClient.prefetchQuery(modelsQuery(api))
      void queryClient.prefetchQuery(routesQuery(api))
    },
    component: lazyPage(() => import('./pages/playground/PlaygroundPage.tsx'), 'PlaygroundPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/usage',
    validateSearch: readUsageSearch,
    component: lazyPage(() => import('./pages/usage/UsagePage.tsx'), 'UsagePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/usage/calls/$call',
    loader: ({ context: { api, queryClient }, params: { call } }) =>
      void queryClient.prefetchQuery(callDetailsQuery(api, call)),
    component: lazyPage(() => import('./pages/call/CallPage.tsx'), 'CallPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/providers',
    validateSearch: readProviderSearch,
    search: keepTables('/providers'),
    loader: ({ context: { api, queryClient } }) => void queryClient.prefetchQuery(providersQuery(api)),
    component: lazyPage(() => import('./pages/providers/ProvidersPage.tsx'), 'ProvidersPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/routes',
    validateSearch: readRouteSearch,
    search: keepTables('/routes'),
    loader: ({ context: { api, queryClient } }) => void queryClient.prefetchQuery(routesQuery(api)),
    component: lazyPage(() => import('./pages/model-routes/RoutesPage.tsx'), 'RoutesPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/events',
    validateSearch: readEventSearch,
    loaderDeps: ({ search }) => ({ type: search.type }),
    loader: ({ context: { api, queryClient }, deps }) =>
      void queryClient.prefetchQuery(newestEventsQuery(api, deps.type)),
    component: lazyPage(() => import('./pages/events/EventsPage.tsx'), 'EventsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/webhooks',
    validateSearch: readWebhookSearch,
    search: keepTables('/webhooks'),
    loaderDeps: ({ search: { api, page = 1 } }) => ({ kind: api ?? ('workflows' as const), page }),
    loader: ({ context: { api, queryClient }, deps }) =>
      void queryClient.prefetchQuery(webhooksQuery(api, deps)),
    component: lazyPage(() => import('./pages/webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/webhooks/deliveries',
    validateSearch: readDeliverySearch,
    search: keepTables('/webhooks/deliveries'),
    component: lazyPage(() => import('./pages/webhooks/DeliveriesPage.tsx'), 'DeliveriesPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/workflows',
    validateSearch: readWorkflowSearch,
    beforeLoad: ({ location: { search } }) => redirectOldWorkflows({ ...search }),
    component: lazyPage(() => import('./pages/workflows/WorkflowsPage.tsx'), 'WorkflowsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/workflows/$flow',
    params: markedParam('flow', ['new']),
    validateSearch: readWorkflowPageSearch,
    component: lazyPage(() => import('./pages/workflow/WorkflowPage.tsx'), 'WorkflowPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/workflows/$flow/edit',
    validateSearch: readEditorSearch,
    component: lazyPage(() => import('./pages/flow-editor/EditFlowPage.tsx'), 'EditFlowPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/workflows/new',
    validateSearch: readNewFlowSearch,
    component: lazyPage(() => import('./pages/flow-editor/NewFlowPage.tsx'), 'NewFlowPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/executions',
    // The page drops invalid parameters itself, so that its words are not part of the first load.
    validateSearch: (address: Record<string, unknown>): ExecutionSearch => address,
    component: lazyPage(() => import('./pages/executions/ExecutionsPage.tsx'), 'ExecutionsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/executions/latest',
    component: lazyPage(() => import('./pages/executions/LatestExecution.tsx'), 'LatestExecution'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/executions/compare',
    validateSearch: readCompareSearch,
    component: lazyPage(() => import('./pages/execution/ComparePage.tsx'), 'ComparePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/executions/$execution',
    validateSearch: readRunSearch,
    component: lazyPage(() => import('./pages/execution/RunPage.tsx'), 'RunPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/human-tasks',
    validateSearch: readHumanTaskSearch,
    search: keepTables('/human-tasks'),
    component: lazyPage(() => import('./pages/human-tasks/HumanTasksPage.tsx'), 'HumanTasksPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/schedules',
    validateSearch: readScheduleSearch,
    search: keepTables('/schedules'),
    component: lazyPage(() => import('./pages/schedules/SchedulesPage.tsx'), 'SchedulesPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/agents',
    validateSearch: readAgentSearch,
    search: keepTables('/agents'),
    component: lazyPage(() => import('./pages/agents/AgentsPage.tsx'), 'AgentsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/agents/recommend',
    validateSearch: readRecommendSearch,
    component: lazyPage(() => import('./pages/agents/recommend/RecommendPage.tsx'), 'RecommendPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/agents/$agent',
    params: markedParam('agent', ['new', 'recommend']),
    validateSearch: readAgentPageSearch,
    component: lazyPage(() => import('./pages/agent/AgentPage.tsx'), 'AgentPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/agents/$agent/edit',
    validateSearch: readAgentEditorSearch,
    component: lazyPage(() => import('./pages/agent-editor/EditAgentPage.tsx'), 'EditAgentPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/agents/new',
    validateSearch: readAgentEditorSearch,
    component: lazyPage(() => import('./pages/agent-editor/NewAgentPage.tsx'), 'NewAgentPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/health',
    validateSearch: readHealthSearch,
    search: keepTables('/health'),
    component: lazyPage(() => import('./pages/health/HealthPage.tsx'), 'HealthPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/interface-usage',
    validateSearch: readInterfaceUsageSearch,
    search: keepTables('/interface-usage'),
    component: lazyPage(() => import('./pages/interface-usage/InterfaceUsagePage.tsx'), 'InterfaceUsagePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/connections',
    validateSearch: readConnectionSearch,
    search: keepTables('/connections'),
    component: lazyPage(() => import('./pages/connections/ConnectionsPage.tsx'), 'ConnectionsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/mcp-servers',
    validateSearch: readMcpServerSearch,
    search: keepTables('/mcp-servers'),
    component: lazyPage(() => import('./pages/mcp-servers/McpServersPage.tsx'), 'McpServersPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/structure/recipe-onboarding/tours',
    validateSearch: readTourSearch,
    search: keepTables('/admin/structure/recipe-onboarding/tours'),
    component: lazyPage(() => import('./pages/tours/list/ToursPage.tsx'), 'ToursPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/structure/recipe-onboarding/tours/templates',
    component: lazyPage(() => import('./pages/tours/templates/TemplatesPage.tsx'), 'TemplatesPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/structure/recipe-onboarding/tours/templates/$template',
    component: lazyPage(() => import('./pages/tours/templates/TemplatePage.tsx'), 'TemplatePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/structure/recipe-onboarding/tours/$tour',
    component: lazyPage(() => import('./pages/tours/list/TourPage.tsx'), 'TourPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/structure/recipe-onboarding/tours/$tour/builder',
    component: lazyPage(() => import('./pages/tours/builder/BuilderPage.tsx'), 'BuilderPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/structure/recipe-onboarding/tours/$tour/preview',
    component: lazyPage(() => import('./pages/tours/preview/PreviewPage.tsx'), 'PreviewPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/structure/recipe-onboarding/tours/$tour/export',
    component: lazyPage(() => import('./pages/tours/export/ExportPage.tsx'), 'ExportPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/structure/recipe-onboarding/tours/$tour/versions',
    component: lazyPage(() => import('./pages/tours/versions/VersionsPage.tsx'), 'VersionsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/admin/structure/recipe-onboarding/tours/$tour/analytics',
    validateSearch: readTourAnalyticsSearch,
    component: lazyPage(() => import('./pages/tours/analytics/TourAnalyticsPage.tsx'), 'TourAnalyticsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/tour-sites',
    validateSearch: readSiteSearch,
    search: keepTables('/tour-sites'),
    component: lazyPage(() => import('./pages/tours/sites/SitesPage.tsx'), 'SitesPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/api-keys',
    validateSearch: readApiKeySearch,
    search: keepTables('/api-keys'),
    loaderDeps: ({ search: { owner, page = 1 } }) => ({ owner: owner ?? ownDefault, page }),
    loader: ({ context: { api, queryClient }, deps }) =>
      void queryClient.prefetchQuery(apiKeysQuery(api, deps)),
    component: lazyPage(() => import('./pages/api-keys/ApiKeysPage.tsx'), 'ApiKeysPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/oauth-clients',
    validateSearch: readOauthClientSearch,
    search: keepTables('/oauth-clients'),
    loaderDeps: ({ search: { owner, page = 1 } }) => ({ owner: owner ?? ownDefault, page }),
    loader: ({ context: { api, queryClient }, deps }) =>
      void queryClient.prefetchQuery(oauthClientsQuery(api, deps)),
    component: lazyPage(() => import('./pages/oauth-clients/OauthClientsPage.tsx'), 'OauthClientsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/users',
    validateSearch: readUserSearch,
    loaderDeps: ({ search: { search, sort, page = 1 } }) => ({ search, sort, page }),
    loader: ({ context: { api, queryClient }, deps }) =>
      void queryClient.prefetchQuery(usersQuery(api, deps)),
    component: lazyPage(() => import('./pages/users/UsersPage.tsx'), 'UsersPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/roles',
    validateSearch: readRoleSearch,
    search: keepTables('/roles'),
    loader: ({ context: { api, queryClient } }) => void queryClient.prefetchQuery(rolesQuery(api)),
    component: lazyPage(() => import('./pages/roles/RolesPage.tsx'), 'RolesPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/audit',
    validateSearch: readAuditSearch,
    loaderDeps: ({ search: { type, account } }) => ({ type, account }),
    loader: ({ context: { api, queryClient }, deps }) =>
      void queryClient.prefetchInfiniteQuery(auditQuery(api, deps)),
    component: lazyPage(() => import('./pages/audit/AuditPage.tsx'), 'AuditPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/settings',
    component: lazyPage(() => import('./pages/settings/SettingsPage.tsx'), 'SettingsPage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/profile',
    loader: ({ context: { api, queryClient } }) => {
      void queryClient.prefetchQuery(sessionsQuery(api))
      void queryClient.prefetchQuery(authorizationsQuery(api))
    },
    component: lazyPage(() => import('./pages/profile/ProfilePage.tsx'), 'ProfilePage'),
  }),
] as const

/** Creates the router with all addresses of the console and their pages. */
export function createConsoleRouter(context: RouterContext) {
  return createRouter({
    routeTree: rootRoute.addChildren([...pageRoutes, ...movedRoutes]),
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
