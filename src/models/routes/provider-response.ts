import { type Static, Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import type { Catalogue } from '../catalogue/catalogue.ts'
import { describeKey, withoutCredentials } from '../catalogue/provider-settings.ts'
import type { ProviderState, ProviderStates } from '../catalogue/provider-states.ts'
import type { KeyDescription, ProviderKeys } from '../provider-keys/provider-keys.ts'
import { type ProviderRegistry, providerNamePattern, type RegisteredProvider } from '../providers/registry.ts'
import type { StoredProvider } from '../stored-providers/stored-provider.ts'
import type { StoredProviders } from '../stored-providers/stored-providers.ts'

const OptionalTime = Type.Union([Type.String({ format: 'date-time' }), Type.Null()])
const OptionalText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

export const ProviderResponse = Type.Object(
  {
    name: Type.String(),
    kind: Type.Enum(['cluster', 'openai', 'anthropic', 'gemini', 'builtin'], {
      description: 'The protocol of the provider; `openai` stands for every server with a compatible API.',
    }),
    source: Type.Enum(['environment', 'stored'], {
      description: '`stored` providers were added over this API, and can be changed and deleted.',
    }),
    enabled: Type.Boolean({ description: 'Whether models of the provider can be called.' }),
    configured: Type.Boolean({ description: 'Whether the provider has the settings it needs.' }),
    key: Type.Object(
      {
        source: Type.Union([Type.Enum(['environment', 'stored']), Type.Null()], {
          description:
            'The source of the key; a key from the environment takes precedence over a stored one.',
        }),
        hint: OptionalText('The last four characters; null for a short key.'),
        updated_at: OptionalTime,
        updated_by: OptionalText('The account that stored it.'),
      },
      { description: 'The API key of the provider, without the key itself.' },
    ),
    base_url: OptionalText('The address of the provider, without credentials.'),
    header_names: Type.Array(Type.String(), {
      description: 'The names of further request headers. No response contains their values.',
    }),
    model_ids: Type.Union([Type.Array(Type.String()), Type.Null()], {
      description: 'The models that a stored provider is limited to; null: all that the server lists.',
    }),
    default_model: OptionalText('The model that `auto` and fallbacks may use; null: none.'),
    price_list: OptionalText('The price list that was selected; null: chosen by the address.'),
    state: Type.Enum(['online', 'degraded', 'offline', 'unconfigured']),
    problem: OptionalText('A description of the problem; null when there is none.'),
    response_ms: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The response time in milliseconds.',
    }),
    checked_at: Type.String({ format: 'date-time', description: 'The time of the last probe.' }),
    models: Type.Integer({ description: 'The number of its models.' }),
    updated_at: OptionalTime,
    updated_by: OptionalText('The account that last changed a stored provider.'),
  },
  { description: 'A provider and its state.' },
)

type ProviderResponse = Static<typeof ProviderResponse>

export const anyProvider = Type.Object({
  name: Type.String({
    pattern: providerNamePattern,
    'x-means': 'must be the name of a provider',
    description: 'The name of the provider.',
  }),
})

export interface DescribeProvidersOptions {
  readonly catalogue: Pick<Catalogue, 'find'>
  readonly states: ProviderStates
  readonly keys: Pick<ProviderKeys, 'describe'>
  readonly providers: ProviderRegistry
  readonly stored: Pick<StoredProviders, 'read'>
}

/** Describes providers for the API. Its functions throw `not_found` for an unknown provider. */
export interface DescribeProviders {
  /** All providers in the order of the default chain, then the disabled ones. */
  list(): Promise<ProviderResponse[]>
  /** A provider with its cached state, else with that of a new probe. */
  find(name: string): Promise<ProviderResponse>
  /** A provider after a new probe. */
  probe(name: string): Promise<ProviderResponse>
}

const disabledState: Omit<ProviderState, 'checkedAt'> = {
  state: 'unconfigured',
  problem: 'The provider is disabled.',
  responseMs: null,
}

export function createDescribeProviders(options: DescribeProvidersOptions): DescribeProviders {
  const { catalogue, states, keys, providers, stored } = options

  async function describe(
    registered: Omit<RegisteredProvider, 'provider'> & { readonly provider: { readonly name: string } },
    state: ProviderState,
  ): Promise<ProviderResponse> {
    const { name } = registered.provider
    const [key, entries, rows] = await Promise.all([
      describeKey(keys, registered),
      catalogue.find(),
      stored.read(),
    ])
    const row = registered.source === 'stored' ? rows.get(name) : undefined
    return {
      name,
      kind: registered.kind,
      source: registered.source,
      enabled: row?.enabled ?? true,
      configured: state.state !== 'unconfigured',
      key: responseOfKey(key),
      base_url: withoutCredentials(registered.baseUrl),
      header_names: [...(row?.headerNames ?? [])],
      model_ids: row?.models === undefined ? null : [...row.models],
      default_model: registered.defaultModel ?? null,
      price_list: registered.priceList ?? null,
      state: state.state,
      problem: row?.problem ?? key.problem ?? state.problem,
      response_ms: state.responseMs === null ? null : Math.round(state.responseMs),
      checked_at: state.checkedAt.toISOString(),
      models: entries.filter(({ provider }) => provider === name).length,
      updated_at: row?.updatedAt.toISOString() ?? null,
      updated_by: row?.updatedBy ?? null,
    }
  }

  async function describeDisabled(row: StoredProvider): Promise<ProviderResponse> {
    const { name, kind, baseUrl, defaultModel, priceList } = row
    const registered = {
      provider: { name },
      kind,
      source: 'stored',
      baseUrl,
      defaultModel,
      priceList,
    } as const
    return await describe(registered, { ...disabledState, checkedAt: row.updatedAt })
  }

  async function describeNamed(
    name: string,
    stateOf: (name: string) => Promise<ProviderState>,
  ): Promise<ProviderResponse> {
    const registered = (await providers.read()).get(name)
    if (registered !== undefined) return await describe(registered, await stateOf(name))
    const row = (await stored.read()).get(name)
    if (row === undefined) throw unknownProvider(name)
    return await describeDisabled(row)
  }

  return {
    async list() {
      const [known, rows] = await Promise.all([providers.read(), stored.read()])
      const disabled = [...rows.values()].filter(({ name }) => !known.has(name))
      return await Promise.all([
        ...[...known].map(async ([name, registered]) => describe(registered, await states.current(name))),
        ...disabled.map(describeDisabled),
      ])
    },
    find: (name) => describeNamed(name, (one) => states.current(one)),
    probe: (name) => describeNamed(name, (one) => states.probeNow(one)),
  }
}

export function unknownProvider(name: string) {
  return kernelFailure('not_found', { message: `There is no provider "${name}".` })
}

function responseOfKey(key: KeyDescription): ProviderResponse['key'] {
  return {
    source: key.source,
    hint: key.hint,
    updated_at: key.updatedAt?.toISOString() ?? null,
    updated_by: key.updatedBy,
  }
}
