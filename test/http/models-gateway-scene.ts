import { readSettings } from '#kernel/config'
import { viewLocalCluster } from '../../src/models/cluster/cluster-overview.ts'
import { createAnthropicProvider } from '../../src/models/providers/anthropic/anthropic-provider.ts'
import { createOllamaProvider } from '../../src/models/providers/ollama/ollama-provider.ts'
import { ollamaSettings } from '../../src/models/providers/ollama/settings.ts'
import { createOpenAiProvider } from '../../src/models/providers/openai/openai-provider.ts'
import { type AnthropicServer, startAnthropicServer } from '../support/anthropic-server.ts'
import { startServiceFor } from '../support/cluster-service.ts'
import { type ModelNode, startModelNode } from '../support/model-node.ts'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'
import { type GatewayServer, startGatewayServer } from './models-gateway-server.ts'
import { patient } from './models-provider-support.ts'

export const model = 'gemma3:4b'
export const embedder = 'text-embedding-3-small'
/** The response of the node to every request. */
export const text = 'The sky is blue because of how light scatters.'
export const messages = [{ role: 'user' as const, content: 'Why is the sky blue?' }]

/** A gateway with a provider of every kind: a node in a cluster, and fake servers of the others. */
export interface GatewayScene extends AsyncDisposable {
  readonly server: GatewayServer
  readonly node: ModelNode
  readonly openai: OpenAiServer
  readonly anthropic: AnthropicServer
}

export async function startGatewayScene(): Promise<GatewayScene> {
  await using opening = new AsyncDisposableStack()
  const node = opening.use(await startModelNode({ models: [model, 'nadia/tuned:1'], loaded: [model] }))
  const service = opening.use(await startServiceFor([node]))
  const openai = opening.use(await startOpenAiServer())
  const anthropic = opening.use(await startAnthropicServer())
  const gatewayId = 'ourselves'
  const providers = [
    opening.use(
      createOllamaProvider({
        view: viewLocalCluster(service.cluster, { maxWaitMs: 10_000 }),
        limits: patient,
        cluster: { url: service.url, apiKey: undefined },
        settings: readSettings(ollamaSettings, {}),
        gatewayId,
      }),
    ),
    opening.use(
      createOpenAiProvider({
        settings: { baseUrl: openai.baseUrl, models: undefined },
        limits: patient,
        readKey: async () => undefined,
      }),
    ),
    opening.use(
      createAnthropicProvider({
        settings: { baseUrl: anthropic.baseUrl, models: undefined },
        limits: patient,
        readKey: async () => 'sk-ant-right',
      }),
    ),
  ]
  const server = opening.use(await startGatewayServer({ providers, gatewayId, heartbeatMs: 20 }))
  const opened = opening.move()
  return { server, node, openai, anthropic, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Changes the behaviour of a node temporarily. */
export async function withNodeThat(
  node: ModelNode,
  behaviour: Parameters<ModelNode['behave']>[0],
  run: () => Promise<void>,
): Promise<void> {
  await node.behave(behaviour)
  try {
    await run()
  } finally {
    await node.behave('normal')
  }
}

export async function collect<Part>(stream: AsyncIterable<Part>): Promise<Part[]> {
  const parts: Part[] = []
  for await (const part of stream) parts.push(part)
  return parts
}
