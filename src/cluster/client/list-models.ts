import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { FailedProbe } from '../probing/failed-probe.ts'
import { askNode } from '../probing/probe-node.ts'
import { type AskOptions, askForJson } from './ask-json.ts'
import { type ModelRoute, urlOf } from './route.ts'

/** A model that requests reach without the cluster; null when unknown. */
export interface RoutedModel {
  readonly name: string
  readonly size: number | null
  readonly modifiedAt: Date | null
  readonly capabilities: readonly string[] | null
  readonly contextLength: number | null
  readonly loaded: boolean
}

const perhaps = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

/** What is needed of a gateway's list, and no more: it may be of another version than we are. */
const gatewayList = Compile(
  Type.Object({
    data: Type.Array(
      Type.Object({
        id: Type.String({ pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f]{1,512}$` }),
        provider: Type.String(),
        created: perhaps(Type.Integer({ minimum: 0, maximum: 1e11 })),
        size: perhaps(Type.Integer({ minimum: 0 })),
        capabilities: perhaps(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 32 })),
        context_length: perhaps(Type.Integer({ minimum: 1 })),
        loaded: Type.Optional(Type.Boolean()),
        nodes: Type.Optional(Type.Array(Type.String())),
      }),
      { maxItems: 10_000 },
    ),
  }),
)

/** The models a route has, or undefined when it does not tell. The cluster is asked elsewhere. */
export async function listRoutedModels(
  route: ModelRoute,
  options: AskOptions,
): Promise<readonly RoutedModel[] | undefined> {
  if (route.kind === 'cluster') return undefined
  try {
    return route.kind === 'node' ? await listNode(route, options) : await listGateway(route, options)
  } catch (error) {
    if (error instanceof FailedProbe) return undefined
    throw error
  }
}

async function listNode({ url }: ModelRoute, options: AskOptions): Promise<readonly RoutedModel[]> {
  const { dispatcher, timeoutMs } = options
  const told = await askNode(url, { dispatcher, timeoutMs })
  if (!told.ok) throw new FailedProbe(told.error)
  const loaded = new Set(told.loaded.map(({ name }) => name))
  return told.models.map(({ name, size, modifiedAt, capabilities }) => ({
    name,
    size,
    modifiedAt,
    capabilities,
    contextLength: null,
    loaded: loaded.has(name),
  }))
}

/** Of another gateway only what its own cluster has: its providers in the cloud are paid with its keys, not asked for here. */
async function listGateway(route: ModelRoute, options: AskOptions): Promise<readonly RoutedModel[]> {
  const answer = await askForJson(route, urlOf(route, 'models'), options)
  if (!gatewayList.Check(answer)) throw new FailedProbe('what answers there is not a gateway')
  return answer.data
    .filter(({ provider, nodes }) => provider === 'ollama' && nodes?.length !== 0)
    .map((model) => ({
      name: model.id,
      size: model.size ?? null,
      modifiedAt: model.created == null ? null : new Date(model.created * 1000),
      capabilities: model.capabilities ?? null,
      contextLength: model.context_length ?? null,
      loaded: model.loaded ?? false,
    }))
}
