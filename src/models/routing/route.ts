import { type Static, Type } from 'typebox'
import { maxModelNameLength } from '../routes/requests/model-name.ts'

/** The bounds of routes. */
export const routeLimits = { routes: 500, targets: 20, versions: 1000, retries: 3 } as const

export const routeNameSchema = Type.String({
  // `auto` is a model name of its own, `any` and `none` are fallbacks.
  pattern: '^(?!(auto|any|none)$)[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$',
  'x-means':
    'must be up to 128 letters, digits, dots, colons, hyphens and underscores, start with a letter or digit, and not be auto, any or none',
  description: 'The name that callers use in place of a model.',
})

/*
 * | strategy | order of the targets                                                                      |
 * |----------|-------------------------------------------------------------------------------------------|
 * | fallback | as listed                                                                                 |
 * | weighted | one by chance, in the proportion of the weights; then the others, as listed               |
 * | cheapest | by the price of input and output; models without a known price last                       |
 * | fastest  | by the measured time to the first token; a model without measurements is tried first      |
 */
export const routeDefinitionSchema = Type.Object(
  {
    description: Type.Optional(Type.String({ maxLength: 500 })),
    strategy: Type.Enum(['fallback', 'weighted', 'cheapest', 'fastest'], {
      description: 'The order in which the targets are tried.',
    }),
    targets: Type.Array(
      Type.Object(
        {
          model: Type.String({
            minLength: 1,
            maxLength: maxModelNameLength,
            description: 'An id of the catalogue, or `provider/id`.',
          }),
          weight: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: 1000,
              description: 'For the strategy `weighted`, default 1. A target of weight 0 is only a fallback.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: routeLimits.targets },
    ),
    retries: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: routeLimits.retries,
        description:
          'How often a target that is rate limited or unavailable is tried again before the next one.',
      }),
    ),
  },
  { additionalProperties: false, description: 'How a route chooses a model.' },
)

export type RouteDefinition = Static<typeof routeDefinitionSchema>

/** A route with its active definition. */
export interface ModelRoute {
  readonly name: string
  readonly version: number
  readonly definition: RouteDefinition
  readonly updatedAt: Date
  readonly updatedBy: string | null
}
