import { Type } from 'typebox'
import { common } from './common-step.ts'
import { path, template } from './values.ts'

export const mergeStrategies = ['deep', 'shallow', 'concat', 'first'] as const
export const calculationMethods = [
  'average',
  'weighted_average',
  'sum',
  'min',
  'max',
  'median',
  'count',
] as const

const Transformation = Type.Object(
  {
    operation: Type.Enum(['merge', 'calculate_metrics', 'generate_summary'], {
      description:
        '`merge` makes one value of several. `calculate_metrics` calculates with their numbers. `generate_summary` writes a text about them.',
    }),
    sources: Type.Optional(
      Type.Array(path('A path such as `analysis` or `metadata.facts`.'), {
        maxItems: 100,
        description: 'What it works on. Default: everything in the shared memory.',
      }),
    ),
    merge_strategy: Type.Optional(
      Type.Enum([...mergeStrategies], {
        description:
          'For `merge`: `deep` joins objects at every level, `shallow` at the first; the later source wins. `concat` makes one list. `first` keeps the first source that has a value. Default: `deep`.',
      }),
    ),
    fields: Type.Optional(
      Type.Array(path('The name of a field, or a path to it.'), {
        maxItems: 100,
        description: 'The fields that are merged, calculated or summarised. Default: all.',
      }),
    ),
    calculation_method: Type.Optional(
      Type.Enum([...calculationMethods], {
        description:
          'For `calculate_metrics`: how the numbers of a field become one. `weighted_average` goes by the field `weight` beside a number, or of the nearest object around it. Default: `average`.',
      }),
    ),
    template: Type.Optional(
      template(
        'For `generate_summary`: the text, with `{{path}}` for values of the sources. Default: a list of what they say.',
      ),
    ),
    include_visualizations: Type.Optional(
      Type.Boolean({
        description:
          'For `calculate_metrics` and `generate_summary`: adds a chart of the numbers. Default: false.',
      }),
    ),
  },
  { additionalProperties: false },
)

export const DataTransformSchema = Type.Object(
  {
    ...common,
    type: Type.Literal('data_transform', {
      description: 'Merges, calculates and summarises what there is, without a model.',
    }),
    transformations: Type.Array(Transformation, {
      minItems: 1,
      maxItems: 50,
      description: 'One after the other; each sees what the one before made as `previous`.',
    }),
  },
  { additionalProperties: false, description: 'Merges, calculates, sums up.' },
)
