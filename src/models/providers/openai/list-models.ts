import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { askForList } from '../ask-list.ts'
import type { ListAddress } from '../cloud-provider.ts'
import type { ProvidedModel } from '../provider.ts'
import { ProviderFailure } from '../provider-failure.ts'

/** Nothing but the id is insisted on: compatible servers leave out the rest, and some say more. */
const modelList = Compile(
  Type.Object({
    data: Type.Array(
      Type.Object({
        id: Type.String({ pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f]{1,512}$` }),
        created: Type.Optional(Type.Unknown()),
        owned_by: Type.Optional(Type.Unknown()),
        max_model_len: Type.Optional(Type.Unknown()),
        context_length: Type.Optional(Type.Unknown()),
        meta: Type.Optional(Type.Unknown()),
      }),
      { maxItems: 10_000 },
    ),
  }),
)

type Listed = Parameters<typeof describe>[0]

export async function listOpenAiModels(address: ListAddress): Promise<readonly ProvidedModel[] | undefined> {
  const { baseUrl, key, dispatcher, signal } = address
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const answer = await askForList({
    who: 'OpenAI',
    url: `${baseUrl}/models`,
    headers,
    dispatcher,
    key,
    signal,
  })
  if (answer === undefined) return undefined
  if (!modelList.Check(answer)) {
    throw new ProviderFailure({
      kind: 'malformed',
      message: 'OpenAI sent something that is not a list of models.',
    })
  }
  const byId = new Map(answer.data.map((model) => [model.id, describe(model)]))
  return [...byId.values()].sort((left, right) => (left.id < right.id ? -1 : 1))
}

function describe(model: {
  readonly id: string
  readonly created?: unknown
  readonly owned_by?: unknown
  readonly max_model_len?: unknown
  readonly context_length?: unknown
  readonly meta?: unknown
}): ProvidedModel {
  const { id, created, owned_by: ownedBy } = model
  return {
    id,
    ownedBy: typeof ownedBy === 'string' && /^[\w .:/-]{1,64}$/.test(ownedBy) ? ownedBy : 'openai',
    created: countOf(created),
    available: true,
    loaded: false,
    nodes: [],
    size: null,
    // The list does not say what a model is for. Of those that turn texts into vectors the name does.
    capabilities: /(^|[-/:_])embed/i.test(id) ? ['embedding'] : [],
    contextLength: contextLengthOf(model),
    maxOutputTokens: null,
  }
}

/** OpenAI itself does not say; vLLM, routers and llama.cpp do, each in its own way. */
function contextLengthOf({ max_model_len, context_length, meta }: Listed): number | null {
  const trained = typeof meta === 'object' && meta !== null && 'n_ctx_train' in meta ? meta.n_ctx_train : null
  return countOf(max_model_len) ?? countOf(context_length) ?? countOf(trained)
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null
}
