import { type Static, Type } from 'typebox'
import type { Problem } from '#kernel/errors'
import { lookUp, type Scope } from '../../expressions/paths.ts'
import { common } from '../common-step.ts'
import { path, template } from '../values.ts'
import { checkPath, checkTemplate } from './check-values.ts'
import type { StepKind } from './step-kind.ts'
import { inText, type UsedPath } from './used-paths.ts'

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

const schema = Type.Object(
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

export type DataTransformStep = Static<typeof schema>

export const dataTransform = {
  type: 'data_transform',
  plural: 'Transform steps',
  schema,
  traits: {
    pure: true,
    callsModels: false,
    sendsPrompt: false,
    callsServices: false,
    decides: 'never',
    validatesOutput: false,
  },
  phase: 'transforming_data',
  check: checkTransform,
  pathsUsed: ({ transformations }) => transformations.flatMap(inTransformation),
  describeInput: (step, scope) => ({ sources: sourcesOf(step, scope) }),
} as const satisfies StepKind<DataTransformStep>

const fieldsOfTransformation: Readonly<Record<string, readonly string[]>> = {
  merge: ['sources', 'merge_strategy', 'fields'],
  calculate_metrics: ['sources', 'fields', 'calculation_method', 'include_visualizations'],
  generate_summary: ['sources', 'fields', 'template', 'include_visualizations'],
}

function checkTransform({ transformations }: DataTransformStep, place: string): Problem[] {
  return transformations.flatMap((transformation, index) => {
    const at = `${place}.transformations[${index}]`
    const usable = new Set(['operation', ...(fieldsOfTransformation[transformation.operation] ?? [])])
    const useless = Object.keys(transformation).filter((field) => !usable.has(field))
    return [
      ...useless.map((field) => ({
        path: `${at}.${field}`,
        message: `has no effect on "${transformation.operation}"`,
        code: 'no_effect',
      })),
      ...(transformation.sources ?? []).flatMap((source, position) =>
        checkPath(source, `${at}.sources[${position}]`),
      ),
      ...checkTemplate(transformation.template, `${at}.template`),
    ]
  })
}

/** The output of a transformation is `previous` for the next, and a template refers to sources by the last part of their path. */
function inTransformation(
  { sources = [], template: text }: DataTransformStep['transformations'][number],
  index: number,
): UsedPath[] {
  const place = `transformations[${index}]`
  const given = new Set([
    ...(index > 0 ? ['previous'] : []),
    ...sources.map((source) => source.split('.').at(-1)),
  ])
  const isGiven = (used: UsedPath): boolean => given.has(/^[^.[]+/.exec(used.path)?.[0] ?? used.path)
  return [
    ...sources
      .map((source, position) => ({ path: source, at: `${place}.sources[${position}]` }))
      .filter((used) => index === 0 || !/^previous(?:$|[.[])/.test(used.path)),
    ...inText(text, `${place}.template`).filter((used) => !isGiven(used)),
  ]
}

/** The sources of all transformations, except the outputs they pass to each other. */
function sourcesOf({ transformations }: DataTransformStep, scope: Scope): Readonly<Record<string, unknown>> {
  const named = transformations
    .flatMap(({ sources = [] }) => sources)
    .filter((source) => source !== 'previous')
  return {
    ...(transformations[0]?.sources === undefined && scope.memory),
    ...Object.fromEntries(named.map((source) => [source, lookUp(scope, source) ?? null])),
  }
}
