import { type Static, Type } from 'typebox'

/** The server programs of nodes. */
export const runtimeNames = ['ollama', 'vllm', 'llama.cpp', 'sglang', 'lmstudio', 'tgi', 'openai'] as const

export const runtimeSchema = Type.Enum([...runtimeNames], {
  description:
    '`ollama` has the native API. The others have the OpenAI-compatible API; `openai` is any of them that is not recognised.',
})

export type RuntimeName = Static<typeof runtimeSchema>

/** The runtime whose API the cluster speaks; requests of the native API are translated for the others. */
export function isNative(runtime: RuntimeName | null): boolean {
  return runtime === 'ollama'
}

/** What a runtime supports beyond the common part of the OpenAI-compatible API. */
interface RuntimeTraits {
  /** Options of the native API that it has, with its own names for them. */
  readonly options: Readonly<Record<string, string>>
  /** How it is asked for JSON. */
  readonly json: 'object' | 'schema' | 'value'
  /** `chat_template_kwargs` turn the reasoning of a model on and off. */
  readonly templateOptions: boolean
  /** It continues a conversation whose last message is the beginning of an answer, with `continue_final_message`. */
  readonly continuesMessages: boolean
}

const common: RuntimeTraits = {
  options: {},
  json: 'object',
  templateOptions: false,
  continuesMessages: false,
}
const engine: RuntimeTraits = {
  options: { top_k: 'top_k', min_p: 'min_p', repeat_penalty: 'repetition_penalty' },
  json: 'object',
  templateOptions: true,
  continuesMessages: true,
}

/**
 * | runtime   | `json` | a JSON schema is sent as `response_format`                | JSON without a schema          |
 * |-----------|--------|-----------------------------------------------------------|--------------------------------|
 * | most      | object | `{type: "json_schema", json_schema: {name, schema}}`      | `{type: "json_object"}`        |
 * | lmstudio  | schema | the same                                                  | the schema of any object       |
 * | tgi       | value  | `{type: "json_object", value: schema}`                    | the schema of any object       |
 */
export const runtimeTraits: Readonly<Record<RuntimeName, RuntimeTraits>> = {
  ollama: common,
  openai: common,
  vllm: engine,
  sglang: engine,
  'llama.cpp': {
    options: Object.fromEntries(
      ['top_k', 'min_p', 'typical_p', 'repeat_penalty', 'repeat_last_n'].map((name) => [name, name]),
    ),
    json: 'object',
    templateOptions: true,
    continuesMessages: false,
  },
  lmstudio: { ...common, options: { top_k: 'top_k', repeat_penalty: 'repeat_penalty' }, json: 'schema' },
  tgi: { ...common, json: 'value' },
}
