import { Type } from 'typebox'
import type { HttpServer, Principal } from '#kernel/http'
import { nativeApiVersion } from '#kernel/native-api'
import type { ClusterAccess } from '../callers/access.ts'
import type { KeyLimitCheck } from '../callers/key-limits.ts'
import type { Cluster } from '../cluster.ts'
import { clusterFailure } from '../errors.ts'
import { canonicalModelName } from '../nodes/model-name.ts'
import { isNative } from '../nodes/runtime.ts'
import type { TrackedNode } from '../nodes/tracked-node.ts'
import type { NodeModel } from '../probing/model-list.ts'

interface MergedRouteOptions {
  readonly cluster: Cluster
  readonly access: ClusterAccess
  /** The lists leave out models that the API key of the caller does not allow. */
  readonly keyLimits: Pick<KeyLimitCheck, 'allows'>
}

const modelListSchema = Type.Object(
  {
    models: Type.Array(
      Type.Object({ name: Type.String(), nodes: Type.Array(Type.String()) }, { additionalProperties: true }),
    ),
  },
  { description: 'Each model once, with the ids of the healthy nodes that have it.' },
)

const compatibleModelSchema = Type.Object({
  id: Type.String(),
  object: Type.Literal('model'),
  created: Type.Integer(),
  owned_by: Type.String(),
})

/** Waits for the first round of probes. Throws `no_healthy_node` without a healthy node. */
async function healthyOnes(cluster: Cluster): Promise<readonly TrackedNode[]> {
  await cluster.settled()
  const tracked = cluster.tracked().filter(({ isReady }) => isReady)
  if (tracked.length === 0) throw clusterFailure('no_healthy_node', { retryAfterSeconds: 2 })
  return tracked
}

/** The model lists of the runtime, merged from the last probes of the healthy nodes. */
export function addMergedRoutes(
  routes: HttpServer,
  { cluster, access, keyLimits }: MergedRouteOptions,
): void {
  const visible = (models: readonly MergedModel[], principal: Principal) =>
    models.filter(({ name }) => keyLimits.allows(principal, name)).map(toListed)
  routes.get(
    '/api/tags',
    {
      config: { access: access.read },
      schema: { summary: 'List models', response: { 200: modelListSchema } },
    },
    async ({ principal }) => ({ models: visible(mergeModels(await healthyOnes(cluster)), principal) }),
  )
  routes.get(
    '/api/ps',
    {
      config: { access: access.read },
      schema: { summary: 'List loaded models', response: { 200: modelListSchema } },
    },
    async ({ principal }) => ({ models: visible(mergeLoadedModels(await healthyOnes(cluster)), principal) }),
  )
  routes.get(
    '/api/version',
    {
      config: { access: access.read },
      schema: {
        summary: 'Get the runtime version',
        response: {
          200: Type.Object(
            { version: Type.String() },
            { description: 'The lowest of the healthy nodes that have the native API.' },
          ),
        },
      },
    },
    async () => ({ version: lowestVersion(await healthyOnes(cluster)) ?? nativeApiVersion }),
  )
}

/** The OpenAI-compatible model lists. */
export function addCompatibleRoutes(
  routes: HttpServer,
  { cluster, access, keyLimits }: MergedRouteOptions,
): void {
  const visible = async (principal: Principal) =>
    mergeModels(await healthyOnes(cluster)).filter(({ name }) => keyLimits.allows(principal, name))

  routes.get(
    '/v1/models',
    {
      config: { access: access.read },
      schema: {
        summary: 'List models',
        response: {
          200: Type.Object(
            { object: Type.Literal('list'), data: Type.Array(compatibleModelSchema) },
            { description: 'Each model once.' },
          ),
        },
      },
    },
    async ({ principal }) => ({
      object: 'list' as const,
      data: (await visible(principal)).map(describeCompatibleModel),
    }),
  )
  routes.get(
    '/v1/models/*',
    {
      config: { access: access.read },
      schema: {
        summary: 'Get a model',
        params: Type.Object({ '*': Type.String({ minLength: 1, maxLength: 512 }) }),
        response: { 200: { ...compatibleModelSchema, description: 'The model.' } },
      },
    },
    async ({ params, principal }) => {
      const wanted = canonicalModelName(params['*'])
      const found = (await visible(principal)).find(({ name }) => canonicalModelName(name) === wanted)
      if (found === undefined) {
        throw clusterFailure('model_not_found', { message: `model '${params['*']}' not found on any node` })
      }
      return describeCompatibleModel(found)
    },
  )
}

function toListed({ name, nodes, ...rest }: MergedModel) {
  return { name, ...rest, nodes: [...nodes] }
}

function describeCompatibleModel({ name, ...raw }: MergedModel) {
  const modifiedAt = typeof raw['modified_at'] === 'string' ? Date.parse(raw['modified_at']) : Number.NaN
  const created = Number.isFinite(modifiedAt) ? Math.max(0, Math.floor(modifiedAt / 1000)) : 0
  const owner = name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : 'library'
  return { id: name, object: 'model' as const, created, owned_by: owner }
}

/** An entry of a runtime list as a node reported it, with all nodes that have it. */
type MergedModel = Readonly<Record<string, unknown>> & {
  readonly name: string
  readonly nodes: readonly string[]
}

/** The models of all healthy nodes without duplicates, as the first node describes them. */
function mergeModels(tracked: readonly TrackedNode[]): readonly MergedModel[] {
  return merge(tracked, ({ models }) => models)
}

/** The models loaded on any healthy node. */
function mergeLoadedModels(tracked: readonly TrackedNode[]): readonly MergedModel[] {
  return merge(tracked, ({ loadedModels }) => loadedModels)
}

function merge(
  tracked: readonly TrackedNode[],
  modelsOf: (node: TrackedNode) => readonly NodeModel[],
): MergedModel[] {
  const byName = new Map<string, { readonly raw: NodeModel['raw']; readonly nodes: string[] }>()
  for (const node of tracked) {
    if (!node.isReady) continue
    for (const { name, raw } of modelsOf(node)) {
      const known = byName.get(name)
      if (known === undefined) byName.set(name, { raw, nodes: [node.id] })
      else known.nodes.push(node.id)
    }
  }
  return [...byName]
    .map(([name, { raw, nodes }]) => ({ ...raw, name, nodes }))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
}

/** The lowest version of all healthy nodes with the native API, which all of them support; null when none reports one. */
function lowestVersion(tracked: readonly TrackedNode[]): string | null {
  const versions = tracked.flatMap(({ isReady, version, runtime }) =>
    isReady && isNative(runtime) && version !== null ? [version] : [],
  )
  return versions.toSorted((left, right) => left.localeCompare(right, 'en', { numeric: true }))[0] ?? null
}
