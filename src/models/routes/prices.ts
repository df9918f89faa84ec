import { type Static, Type } from 'typebox'
import { type Failure, kernelFailure, type Problem } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { auditContextOf } from '../audit-context.ts'
import { dollarsOf, microDollarsOf } from '../prices/micro-dollars.ts'
import type { PriceOverride, PriceOverrides } from '../prices/price-overrides.ts'
import type { Prices } from '../prices/prices.ts'
import {
  type ProviderRegistry,
  providerNamePattern,
  type RegisteredProviders,
} from '../providers/registry.ts'

export interface PriceRoutesOptions {
  readonly overrides: PriceOverrides
  readonly prices: Pick<Prices, 'tableVersion'>
  readonly providers: ProviderRegistry
}

const access = { permission: 'administer llm' } as const

/** From a micro-dollar to below ten million dollars for a million tokens. */
const amount = '^\\d{1,7}(\\.\\d{1,6})?$'

const Amount = Type.Union([Type.Number(), Type.String({ maxLength: 20 })], {
  description: 'Dollars for a million tokens, as a number or a string, with at most six decimals.',
})

const Price = Type.Object(
  {
    provider: Type.String(),
    model: Type.String(),
    input: Type.Number({ description: 'Dollars for a million input tokens.' }),
    cached_input: Type.Number({ description: 'Dollars for a million cached input tokens.' }),
    output: Type.Number({ description: 'Dollars for a million output tokens.' }),
    updated_at: Type.String({ format: 'date-time' }),
    updated_by: Type.Union([Type.String(), Type.Null()], { description: 'The account that set it.' }),
  },
  { description: 'A price set by an operator, which overrides the price table.' },
)

const params = Type.Object({
  provider: Type.String({
    pattern: providerNamePattern,
    'x-means': 'must be the name of a provider',
    description: 'The name of the provider of the model; `builtin` is always free.',
  }),
  model: Type.String({
    minLength: 1,
    maxLength: 256,
    pattern: '^[^\\p{Cc}]*$',
    'x-means': 'must be the id of a model',
    description:
      'The id of the model, percent-encoded: `hf.co%2Fnadia%2Ftuned`. The model does not have to exist yet.',
  }),
})

/** Price overrides, for models that the price table does not have or that cost something else here. */
export function addPriceRoutes(routes: HttpServer, options: PriceRoutesOptions): void {
  const { overrides, prices, providers } = options

  routes.get(
    '/api/v1/prices',
    {
      config: { access },
      schema: {
        operationId: 'listPrices',
        summary: 'List price overrides',
        description:
          'Returns the prices set by operators, ordered by provider and model. All other prices come from the price table; `GET /api/v1/models` returns the price of each model.',
        response: {
          200: Type.Object(
            {
              data: Type.Array(Price),
              total: Type.Integer(),
              table_version: Type.String({ description: 'The version of the price table.' }),
            },
            { description: 'All price overrides.' },
          ),
        },
      },
    },
    async (_request, reply) => {
      const [known, version] = await Promise.all([overrides.read(), prices.tableVersion()])
      const data = [...known.entries()].sort(([one], [other]) => (one < other ? -1 : 1))
      return reply.header('cache-control', 'no-store').send({
        data: data.map(([, override]) => describePrice(override)),
        total: data.length,
        table_version: version,
      })
    },
  )

  routes.put(
    '/api/v1/prices/:provider/:model',
    {
      config: { access },
      schema: {
        operationId: 'setPrice',
        summary: 'Set the price of a model',
        description:
          'The price applies to all calls that start from now on, whatever the length of their input. Earlier calls keep their price.',
        params,
        body: Type.Object(
          {
            input: Amount,
            cached_input: Type.Optional(Amount),
            output: Amount,
          },
          {
            additionalProperties: false,
            description: 'Without `cached_input`, cached input has the price of other input.',
          },
        ),
        response: { 200: Price },
      },
    },
    async (request, reply) => {
      const { provider, model } = request.params
      requirePriced(provider, await providers.read())
      const read = readAmounts(request.body)
      const override = await overrides.set(
        { provider, model, input: read.input, cachedInput: read.cached_input, output: read.output },
        auditContextOf(request),
      )
      return reply.header('cache-control', 'no-store').send(describePrice(override))
    },
  )

  routes.delete(
    '/api/v1/prices/:provider/:model',
    {
      config: { access },
      schema: {
        operationId: 'removePrice',
        summary: 'Delete a price override',
        description: 'From now on the price of the price table applies, if it has one.',
        params,
        response: { 204: Type.Null({ description: 'The price override was deleted.' }) },
      },
    },
    async (request, reply) => {
      const { provider, model } = request.params
      if (!(await overrides.remove(provider, model, auditContextOf(request)))) {
        throw kernelFailure('not_found', {
          message: `There is no price override for ${model} of ${provider}.`,
        })
      }
      return reply.code(204).send(null)
    },
  )
}

/** Throws `not_found` for an unknown provider and for the built-in one. */
function requirePriced(name: string, known: RegisteredProviders): void {
  const kind = known.get(name)?.kind
  if (kind !== undefined && kind !== 'builtin') return
  const names = [...known].filter(([, other]) => other.kind !== 'builtin').map(([other]) => other)
  const message =
    kind === 'builtin'
      ? `The models of ${name} are always free.`
      : `There is no provider "${name}". Prices can be set for ${names.join(', ')}.`
  throw kernelFailure('not_found', { message })
}

type GivenAmount = Static<typeof Amount>

interface GivenAmounts {
  readonly input: GivenAmount
  readonly cached_input?: GivenAmount
  readonly output: GivenAmount
}

function readAmounts(given: GivenAmounts): Readonly<Record<keyof GivenAmounts, number>> {
  const problems: Problem[] = []
  const read = (name: keyof GivenAmounts): number => {
    const text = String(given[name])
    const microDollars = new RegExp(amount).test(text) ? microDollarsOf(text) : undefined
    if (microDollars === undefined) problems.push({ path: name, message: notAnAmount, code: 'amount' })
    return microDollars ?? 0
  }
  const input = read('input')
  const cachedInput = given.cached_input === undefined ? input : read('cached_input')
  const output = read('output')
  if (problems.length > 0) throw wrongAmounts(problems)
  return { input, cached_input: cachedInput, output }
}

const notAnAmount =
  'must be dollars for a million tokens: 0 or more, below ten million, with at most six decimals'

function wrongAmounts(problems: readonly Problem[]): Failure {
  return kernelFailure('invalid_input', {
    message: problems.map(({ path, message }) => `${path} ${message}.`).join(' '),
    problems,
  })
}

function describePrice(override: PriceOverride): Static<typeof Price> {
  const { provider, model, input, cachedInput, output, updatedAt, updatedBy } = override
  return {
    provider,
    model,
    input: dollarsOf(input),
    cached_input: dollarsOf(cachedInput),
    output: dollarsOf(output),
    updated_at: updatedAt.toISOString(),
    updated_by: updatedBy,
  }
}
