export {
  createModelClient,
  type ModelClient,
  type ModelRoute,
  NoRouteLeft,
} from './client/client.ts'
export { type Cluster, type CreateClusterOptions, createCluster } from './cluster.ts'
export { clusterInterface } from './interface.ts'
export type { NodeChange, NodeNews } from './nodes/change-feed.ts'
export type { NodeRecord } from './nodes/node-record.ts'
export type { ClusterOverview } from './overview.ts'
export { type NodeProbe, probeNode } from './probing/probe-node.ts'
export { clusterReadiness } from './routes/health.ts'
export { type ClusterServerOptions, createClusterServer } from './server.ts'
export {
  type ClusterOptions,
  type ClusterSettings,
  clusterSettings,
  resolveClusterSettings,
} from './settings.ts'
