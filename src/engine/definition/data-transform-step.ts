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
        '`merge` merges the sources into one value. `calculate_metrics` calculates with their numbers. `generate_summary` writes a text about them.',
    }),
    sources: Type.Optional(
      Type.Array(path('A path such as `analysis` or `metadata.facts`.'), {
        maxItems: 100,
        description: 'The sources of the transformation. Default: all keys of the shared memory.',
      }),
    ),
    merge_strategy: Type.Optional(
      Type.Enum([...mergeStrategies], {
        description:
          'For `merge`: `deep` merges objects at every level, `shallow` at the first; the later source wins. `concat` creates one list. `first` keeps the first source that has a value. Default: `deep`.',
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
          'For `calculate_metrics`: how the numbers of a field are combined. `weighted_average` uses the field `weight` beside a number, or of the nearest enclosing object. Default: `average`.',
      }),
    ),
    template: Type.Optional(
      template(
        'For `generate_summary`: the text, with `{{path}}` for values of the sources. Default: a list of their values.',
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
      description: 'Merges, calculates and summarises values, without a model.',
    }),
    transformations: Type.Array(Transformation, {
      minItems: 1,
      maxItems: 50,
      description: 'Applied one after the other; each can use the output of the previous one as `previous`.',
    }),
  },
  { additionalProperties: false, description: 'Merges, calculates and summarises values.' },
)
