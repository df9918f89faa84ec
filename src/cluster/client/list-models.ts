import { Type } from 'typebox'
import { createCheck } from '#kernel/checks'
import { FailedProbe } from '../probing/failed-probe.ts'
import { readModelList } from '../probing/model-list.ts'
import { fetchFromNode } from '../probing/probe-node.ts'
import { type FetchOptions, fetchJson } from './fetch-json.ts'
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

/** Only the needed fields of a gateway's list: it may have another version. */
const gatewayList = createCheck(
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

/** The models of a route, or undefined when unknown. Not for the cluster route. */
export async function listRoutedModels(
  route: ModelRoute,
  options: FetchOptions,
): Promise<readonly RoutedModel[] | undefined> {
  if (route.kind === 'cluster') return undefined
  try {
    return route.kind === 'node' ? await listNode(route, options) : await listGateway(route, options)
  } catch (error) {
    if (error instanceof FailedProbe) return undefined
    throw error
  }
}

async function listNode({ url }: ModelRoute, options: FetchOptions): Promise<readonly RoutedModel[]> {
  const { dispatcher, timeoutMs } = options
  const told = await fetchFromNode(url, { dispatcher, timeoutMs, required: 'ollama' })
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

/** Only the cluster models of another gateway: its cloud providers are billed to its own keys. */
async function listGateway(route: ModelRoute, options: FetchOptions): Promise<readonly RoutedModel[]> {
  const response = await fetchJson(route, urlOf(route, 'models'), options)
  if (!gatewayList.Check(response)) throw new FailedProbe('what answers there is not a gateway')
  return response.data
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

/** An entry of a list of the runtime, with all its fields. */
export type RuntimeListEntry = Readonly<Record<string, unknown>> & { readonly name: string }

/** The entries of a list of the runtime. Undefined when the route does not respond, and for another gateway, which has no such list. */
export async function listRuntimeEntries(
  route: ModelRoute,
  kind: 'tags' | 'ps',
  options: FetchOptions,
): Promise<readonly RuntimeListEntry[] | undefined> {
  if (route.kind === 'gateway') return undefined
  try {
    const entries = readModelList(await fetchJson(route, urlOf(route, kind), options))
    return entries?.map(({ name, raw }) => ({ ...raw, name }))
  } catch (error) {
    if (error instanceof FailedProbe) return undefined
    throw error
  }
}
