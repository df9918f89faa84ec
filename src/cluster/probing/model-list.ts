import { Type } from 'typebox'
import { Compile } from 'typebox/compile'

/** What a node says of one of its models; null where it says nothing. */
export interface NodeModel {
  readonly name: string
  readonly size: number | null
  readonly parameterSize: string | null
  readonly quantization: string | null
}

// Names end up in terminals and logs, so a name with control characters is a node that lies. Nothing but the name is
// insisted on: runtimes other than the original leave out the rest. Some of them write an empty list as null.
const modelList = Compile(
  Type.Object({
    models: Type.Union([
      Type.Null(),
      Type.Array(
        Type.Object({ name: Type.String({ pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f]{1,512}$` }) }),
        { maxItems: 10_000 },
      ),
    ]),
  }),
)

/** Reads the answer of `/api/tags` or `/api/ps`, sorted by name; undefined when it is not a list of models. */
export function readModelList(answer: unknown): readonly NodeModel[] | undefined {
  if (!modelList.Check(answer)) return undefined
  const byName = new Map((answer.models ?? []).map((model) => [model.name, describeModel(model)]))
  return [...byName.values()].sort((left, right) => (left.name < right.name ? -1 : 1))
}

function describeModel(model: {
  readonly name: string
  readonly size?: unknown
  readonly details?: unknown
}): NodeModel {
  const details: Readonly<Record<string, unknown>> =
    typeof model.details === 'object' && model.details !== null ? { ...model.details } : {}
  return {
    name: model.name,
    size: typeof model.size === 'number' ? model.size : null,
    parameterSize: shortText(details['parameter_size']),
    quantization: shortText(details['quantization_level']),
  }
}

function shortText(value: unknown): string | null {
  return typeof value === 'string' && /^[\w .+-]{1,64}$/.test(value) ? value : null
}
