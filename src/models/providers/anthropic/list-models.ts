import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { askForList } from '../ask-list.ts'
import type { ListAddress } from '../cloud-provider.ts'
import type { ProvidedModel } from '../provider.ts'
import { ProviderFailure } from '../provider-failure.ts'

const apiVersion = '2023-06-01'
const pageSize = 1000
const mostPages = 10

const modelPage = Compile(
  Type.Object({
    data: Type.Array(
      Type.Object({
        id: Type.String({ pattern: String.raw`^[^\u0000-\u001f\u007f-\u009f]{1,512}$` }),
        created_at: Type.Optional(Type.Unknown()),
        max_input_tokens: Type.Optional(Type.Unknown()),
        max_tokens: Type.Optional(Type.Unknown()),
        capabilities: Type.Optional(Type.Unknown()),
      }),
      { maxItems: pageSize },
    ),
    has_more: Type.Optional(Type.Boolean()),
    last_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  }),
)

export async function listAnthropicModels(
  address: ListAddress,
): Promise<readonly ProvidedModel[] | undefined> {
  const byId = new Map<string, ProvidedModel>()
  let after: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const answer = await askForPage(address, after)
    if (answer === undefined) return undefined
    if (!modelPage.Check(answer)) {
      const message = 'Anthropic sent something that is not a list of models.'
      throw new ProviderFailure({ kind: 'malformed', message })
    }
    for (const model of answer.data) byId.set(model.id, describe(model))
    after = answer.has_more === true ? (answer.last_id ?? undefined) : undefined
    if (after === undefined) break
  }
  return [...byId.values()].sort((left, right) => (left.id < right.id ? -1 : 1))
}

async function askForPage(
  { baseUrl, key, dispatcher, signal }: ListAddress,
  after: string | undefined,
): Promise<unknown> {
  const query = new URLSearchParams({
    limit: String(pageSize),
    ...(after !== undefined && { after_id: after }),
  })
  const headers = { 'anthropic-version': apiVersion, ...(key !== undefined && { 'x-api-key': key }) }
  const url = `${baseUrl}/models?${query.toString()}`
  return await askForList({ who: 'Anthropic', url, headers, dispatcher, key, signal })
}

/** Newer servers also say how much a model reads and writes, and what it can do. */
function describe(model: {
  readonly id: string
  readonly created_at?: unknown
  readonly max_input_tokens?: unknown
  readonly max_tokens?: unknown
  readonly capabilities?: unknown
}): ProvidedModel {
  return {
    id: model.id,
    ownedBy: 'anthropic',
    created: epochSecondsOf(model.created_at),
    available: true,
    loaded: false,
    nodes: [],
    size: null,
    capabilities: ['completion', ...namedCapabilities(model.capabilities)],
    contextLength: countOf(model.max_input_tokens),
    maxOutputTokens: countOf(model.max_tokens),
  }
}

/** Those that have a name among the capabilities of the cluster's models. */
function namedCapabilities(capabilities: unknown): readonly string[] {
  const supports = (name: string) => {
    const told = isRecord(capabilities) ? capabilities[name] : undefined
    return isRecord(told) && told['supported'] === true
  }
  return [...(supports('thinking') ? ['thinking'] : []), ...(supports('image_input') ? ['vision'] : [])]
}

function epochSecondsOf(value: unknown): number | null {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) || ms <= 0 ? null : Math.floor(ms / 1000)
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : null
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
