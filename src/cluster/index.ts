export { clusterApi } from './api.ts'
export { createPlatformAccounts } from './callers/platform-accounts.ts'
export { createModelClient, type ModelClient } from './client/client.ts'
export type { RoutedModel } from './client/list-models.ts'
export { NoRouteLeft } from './client/no-route-left.ts'
export { gatewayHopHeader, type ModelRoute } from './client/route.ts'
export type { RoutedResponse } from './client/try-route.ts'
export { type Cluster, type CreateClusterOptions, createCluster } from './cluster.ts'
export type { Metered, MeteredRequest, MeterRequest } from './data-path/metering.ts'
export type { NodeChange, NodeEvent } from './nodes/change-feed.ts'
export { canonicalModelName } from './nodes/model-name.ts'
export type { NodeRecord } from './nodes/node-record.ts'
export type { ClusterOverview } from './overview.ts'
export { type ClusterApi, createClusterApi } from './platform/api.ts'
export { operatorEventTypes } from './platform/operator-events.ts'
export { type NodeProbe, probeNode } from './probing/probe-node.ts'
export type { WorkEnd } from './requests/exchange.ts'
export type { TrafficCounts } from './requests/traffic.ts'
export { clusterReadiness } from './routes/health.ts'
export { type ClusterServerOptions, createClusterServer } from './server.ts'
export {
  type ClusterOptions,
  type ClusterSettings,
  clusterSettings,
  resolveClusterSettings,
} from './settings.ts'
