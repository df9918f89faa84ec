import type { Cluster } from '#cluster'
import type { HttpServer, InterfaceDefinition } from '#kernel/http'
import type { Logger } from '#kernel/telemetry'
import { createCatalogue } from './catalogue/catalogue.ts'
import { viewOwnCluster } from './cluster/own-cluster.ts'
import { viewRemoteCluster } from './cluster/remote-cluster.ts'
import { modelsInterface } from './interface.ts'
import { addModelRoutes } from './routes/models.ts'
import { clusterUrlOf, type ModelsSettings } from './settings.ts'

export interface ModelsOptions {
  /** The cluster of this process; absent when the service runs elsewhere. */
  readonly cluster: Cluster | undefined
  /** What the cluster service elsewhere wants to be shown. */
  readonly clusterApiKey: string | undefined
  readonly settings: ModelsSettings
  readonly log: Logger
  /** How long a question to the cluster may take. */
  readonly timeoutMs?: number
  /** How long the answer of a cluster elsewhere is good for. */
  readonly freshMs?: number
}

/** The models, whoever runs them. */
export interface Models extends AsyncDisposable {
  readonly interface: InterfaceDefinition
  readonly addRoutes: (routes: HttpServer) => void
}

export function createModels(options: ModelsOptions): Models {
  const { cluster, clusterApiKey, settings, log, timeoutMs = 2000, freshMs = 2000 } = options
  const view =
    cluster === undefined
      ? viewRemoteCluster({ url: clusterUrlOf(settings), apiKey: clusterApiKey, log, timeoutMs, freshMs })
      : viewOwnCluster(cluster, { mostWaitMs: timeoutMs })
  const catalogue = createCatalogue({ cluster: view })
  return {
    interface: modelsInterface,
    addRoutes: (routes) => addModelRoutes(routes, { catalogue }),
    [Symbol.asyncDispose]: () => view[Symbol.asyncDispose](),
  }
}
