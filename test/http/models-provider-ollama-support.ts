import { readSettings } from '#kernel/config'
import { createLogger } from '#kernel/telemetry'
import { viewRemoteCluster } from '../../src/models/cluster/remote-cluster.ts'
import {
  createOllamaProvider,
  type OllamaProvider,
} from '../../src/models/providers/ollama/ollama-provider.ts'
import { ollamaSettings } from '../../src/models/providers/ollama/settings.ts'
import { findFreePort } from '../support/free-port.ts'
import { patient } from './models-provider-support.ts'

export interface OllamaUnderTest {
  readonly clusterUrl?: string
  readonly clusterApiKey?: string
  readonly gatewayUrl?: string
  readonly gatewayApiKey?: string
  readonly nodeUrl?: string
  readonly limits?: typeof patient
  readonly prefixAffinity?: boolean
}

/** The provider; omitted routes lead to closed ports. It requests what it knows of the cluster. */
export async function startOllamaProvider(under: OllamaUnderTest): Promise<OllamaProvider> {
  const nowhere = `http://127.0.0.1:${await findFreePort()}`
  const {
    clusterUrl = nowhere,
    clusterApiKey,
    gatewayUrl,
    gatewayApiKey,
    nodeUrl = nowhere,
    limits = patient,
    prefixAffinity = true,
  } = under
  const log = createLogger({ level: 'silent', format: 'json' })
  const view = viewRemoteCluster({ url: clusterUrl, apiKey: clusterApiKey, log, timeoutMs: 5000, freshMs: 0 })
  const provider = createOllamaProvider({
    view,
    cluster: { url: clusterUrl, apiKey: clusterApiKey },
    gatewayId: 'ours',
    settings: readSettings(ollamaSettings, {
      RUNTIME_GATEWAY_URL: gatewayUrl,
      RUNTIME_GATEWAY_API_KEY: gatewayApiKey,
      RUNTIME_NODE_URL: nodeUrl,
      MODEL_PREFIX_AFFINITY: String(prefixAffinity),
    }),
    limits,
    freshMs: 0,
  })
  return {
    ...provider,
    async [Symbol.asyncDispose]() {
      await provider[Symbol.asyncDispose]()
      await view[Symbol.asyncDispose]()
    },
  }
}
