import OpenAI from 'openai'
import { readSettings } from '#kernel/config'
import { createBuiltinProvider } from '../../src/models/builtin/builtin-provider.ts'
import { viewLocalCluster } from '../../src/models/cluster/cluster-overview.ts'
import { createAnthropicProvider } from '../../src/models/providers/anthropic/anthropic-provider.ts'
import { createOllamaProvider } from '../../src/models/providers/ollama/ollama-provider.ts'
import { ollamaSettings } from '../../src/models/providers/ollama/settings.ts'
import { createOpenAiProvider } from '../../src/models/providers/openai/openai-provider.ts'
import { createSchemaChecker } from '../../src/models/structured/schema-checker.ts'
import { type AnthropicServer, startAnthropicServer } from '../support/anthropic-server.ts'
import { startServiceFor } from '../support/cluster-service.ts'
import { type ModelNode, startModelNode } from '../support/model-node.ts'
import { type OpenAiResponsesServer, startOpenAiResponsesServer } from '../support/openai-responses-server.ts'
import { type GatewayServer, startGatewayServer } from './models-gateway-server.ts'
import { patient } from './models-provider-support.ts'

/** A gateway with the built-in model, a node in a cluster, and fake servers of OpenAI and Anthropic. */
export interface ResponsesScene extends AsyncDisposable {
  readonly server: GatewayServer
  readonly node: ModelNode
  readonly openai: OpenAiResponsesServer
  readonly anthropic: AnthropicServer
  /** The official client of OpenAI. */
  readonly client: OpenAI
  clientOf(key: string): OpenAI
}

export interface ResponsesSceneOptions {
  /** Whether the fake server counts as OpenAI itself, which gets the requests as they are. */
  readonly isOpenAi?: boolean
  readonly environment?: Readonly<Record<string, string>>
}

export const nodeModel = 'gemma3:4b'

export async function startResponsesScene(options: ResponsesSceneOptions = {}): Promise<ResponsesScene> {
  await using opening = new AsyncDisposableStack()
  const node = opening.use(await startModelNode({ models: [nodeModel], loaded: [nodeModel] }))
  const service = opening.use(await startServiceFor([node]))
  const openai = opening.use(await startOpenAiResponsesServer())
  const anthropic = opening.use(await startAnthropicServer())
  const checker = opening.use(createSchemaChecker())
  const { baseUrl } = openai
  const providers = [
    opening.use(
      createOllamaProvider({
        view: viewLocalCluster(service.cluster, { maxWaitMs: 10_000 }),
        limits: patient,
        cluster: { url: service.url, apiKey: undefined },
        settings: readSettings(ollamaSettings, {}),
        gatewayId: 'ourselves',
      }),
    ),
    opening.use(
      createOpenAiProvider({
        settings: { baseUrl, models: undefined },
        limits: patient,
        readKey: async () => 'sk-right',
        ...(options.isOpenAi === true && { ownUrl: baseUrl }),
      }),
    ),
    opening.use(
      createAnthropicProvider({
        settings: { baseUrl: anthropic.baseUrl, models: undefined },
        limits: patient,
        readKey: async () => 'sk-ant-right',
      }),
    ),
    createBuiltinProvider({ checker }),
  ]
  const { environment = {} } = options
  const server = opening.use(
    await startGatewayServer({ providers, gatewayId: 'ourselves', heartbeatMs: 20, environment }),
  )
  const clientOf = (key: string) => new OpenAI({ baseURL: `${server.url}/v1`, apiKey: key, maxRetries: 0 })
  const opened = opening.move()
  return {
    server,
    node,
    openai,
    anthropic,
    client: clientOf(server.key),
    clientOf,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
