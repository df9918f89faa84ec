import { Type } from 'typebox'
import { createCheck } from '#kernel/checks'

/** A model as a node reports it; null for missing values. */
export interface NodeModel {
  readonly name: string
  readonly size: number | null
  readonly parameterSize: string | null
  readonly quantization: string | null
  /** When the model was last changed on the node. */
  readonly modifiedAt: Date | null
  /** Capabilities such as `completion` or `vision`. Older runtimes do not report them. */
  readonly capabilities: readonly string[] | null
  /** Tokens; null where only the description of the model has it. */
  readonly contextLength: number | null
  /** The unchanged entry of the node, for responses in the runtime's own format. */
  readonly raw: Readonly<Record<string, unknown>>
}

/** Names appear in terminals and logs, so a name with control characters makes the response invalid. */
export const modelNamePattern = String.raw`^[^\u0000-\u001f\u007f-\u009f]{1,512}$`
export const maxListedModels = 10_000

// Only the name is required: other runtimes leave out the rest, and some send null for an empty list.
const modelList = createCheck(
  Type.Object({
    models: Type.Union([
      Type.Null(),
      Type.Array(Type.Object({ name: Type.String({ pattern: modelNamePattern }) }), {
        maxItems: maxListedModels,
      }),
    ]),
  }),
)

/** Reads the response of `/api/tags` or `/api/ps`, sorted by name; undefined when it is not a list of models. */
export function readModelList(response: unknown): readonly NodeModel[] | undefined {
  if (!modelList.Check(response)) return undefined
  const byName = new Map((response.models ?? []).map((model) => [model.name, describeModel(model)]))
  return [...byName.values()].sort((left, right) => (left.name < right.name ? -1 : 1))
}

function describeModel(model: {
  readonly name: string
  readonly size?: unknown
  readonly modified_at?: unknown
  readonly capabilities?: unknown
  readonly details?: unknown
}): NodeModel {
  const details: Readonly<Record<string, unknown>> =
    typeof model.details === 'object' && model.details !== null ? { ...model.details } : {}
  return {
    name: model.name,
    size: readSize(model.size),
    parameterSize: shortText(details['parameter_size']),
    quantization: shortText(details['quantization_level']),
    modifiedAt: readTime(model.modified_at),
    capabilities: readCapabilities(model.capabilities),
    contextLength: null,
    raw: { ...model },
  }
}

function readSize(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null
}

/** A runtime that does not know the time sends the year 1. */
function readTime(value: unknown): Date | null {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/.test(value)) return null
  const time = new Date(value)
  return time.getTime() > 0 ? time : null
}

const maxCapabilities = 32

function readCapabilities(value: unknown): readonly string[] | null {
  if (!Array.isArray(value)) return null
  return value.flatMap((item) => shortText(item) ?? []).slice(0, maxCapabilities)
}

export function shortText(value: unknown): string | null {
  return typeof value === 'string' && /^[\w .+-]{1,64}$/.test(value) ? value : null
}
