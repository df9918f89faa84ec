import { Type } from 'typebox'
import { createCheck } from '#kernel/checks'
import { listModel } from '#kernel/native-api'
import type { RuntimeName } from '../nodes/runtime.ts'
import { maxListedModels, modelNamePattern, type NodeModel, shortText } from './model-list.ts'

const compatibleList = createCheck(
  Type.Object({
    data: Type.Array(Type.Object({ id: Type.String({ pattern: modelNamePattern }) }), {
      maxItems: maxListedModels,
    }),
  }),
)

/** The list of a node with the OpenAI-compatible API. */
export interface CompatibleList {
  /** Undefined when the list does not say. */
  readonly runtime: RuntimeName | undefined
  readonly models: readonly NodeModel[]
  readonly loaded: readonly NodeModel[]
}

type Fields = Readonly<Record<string, unknown>>

const owners: Readonly<Record<string, RuntimeName>> = {
  vllm: 'vllm',
  sglang: 'sglang',
  llamacpp: 'llama.cpp',
  organization_owner: 'lmstudio',
}

/**
 * Reads the response of `/v1/models`, sorted by name; undefined when it is not a list of models. `family` is the runtime, if it is known
 * better than from the list.
 */
export function readCompatibleList(response: unknown, family?: RuntimeName): CompatibleList | undefined {
  if (!compatibleList.Check(response)) return undefined
  const entries = [
    ...new Map(response.data.map((entry) => [entry.id, entry as Fields & { id: string }])).values(),
  ]
  const owner = entries.map((entry) => entry['owned_by']).find((name) => typeof name === 'string')
  const runtime = owner !== undefined && Object.hasOwn(owners, owner) ? owners[owner] : undefined
  const models = entries
    .map((entry) => ({ model: describe(entry, family ?? runtime ?? 'openai'), isLoaded: isLoaded(entry) }))
    .sort((left, right) => (left.model.name < right.model.name ? -1 : 1))
  return {
    runtime,
    models: models.map(({ model }) => model),
    // Most of these servers have every listed model in memory; some report the state of each.
    loaded: models.flatMap(({ model, isLoaded: loaded }) => (loaded ? model : [])),
  }
}

/** Whether `/info` is that of TGI: other servers have that path, too. */
export function isTgi(info: unknown): info is { readonly model_id: string } {
  const fields = Object(info) as Fields
  return typeof fields['model_id'] === 'string' && typeof fields['max_concurrent_requests'] === 'number'
}

/** llama.cpp as a router, and LM Studio, list models that are not in memory. */
function isLoaded({ state, status }: Fields): boolean {
  const { value = state } = Object(status) as Fields
  return value === undefined || value === 'loaded'
}

function describe(entry: Fields & { readonly id: string }, family: RuntimeName): NodeModel {
  const { id, max_model_len: maxLength, max_context_length: contextLength, type, quantization } = entry
  const meta = Object(entry['meta']) as Fields
  const about = {
    size: readCount(meta['size']),
    parameterSize: null,
    quantization: shortText(quantization),
  }
  return {
    name: id,
    ...about,
    // These servers report the time of the request, or of their start.
    modifiedAt: null,
    capabilities: capabilitiesOf(type),
    contextLength: readCount(maxLength) ?? readCount(contextLength) ?? readCount(meta['n_ctx_train']),
    raw: listModel({ id: `${family}/${id}`, name: id, family, created: null, ...about }),
  }
}

const capabilities: Readonly<Record<string, readonly string[]>> = {
  llm: ['completion'],
  vlm: ['completion', 'vision'],
  embeddings: ['embedding'],
}

function capabilitiesOf(type: unknown): readonly string[] | null {
  return typeof type === 'string' && Object.hasOwn(capabilities, type) ? (capabilities[type] ?? null) : null
}

function readCount(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null
}
