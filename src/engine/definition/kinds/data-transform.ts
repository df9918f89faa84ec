import { type Static, Type } from 'typebox'
import type { Problem } from '#kernel/errors'
import { maxExpressionLength } from '../../expressions/environment.ts'
import { lookUp, type Scope } from '../../expressions/paths.ts'
import { common } from '../common-step.ts'
import { path, template } from '../values.ts'
import { checkExpression, checkPath, checkTemplate } from './check-values.ts'
import type { StepKind } from './step-kind.ts'
import { inExpression, inText, type UsedPath } from './used-paths.ts'

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

const operations = [
  'merge',
  'calculate_metrics',
  'generate_summary',
  'expression',
  'parse',
  'filter',
  'map',
  'sort',
  'group',
  'aggregate',
  'join',
  'split',
] as const

const parseFormats = ['json', 'csv', 'xml', 'html', 'lines'] as const

const expression = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: maxExpressionLength, description }))

const Transformation = Type.Object(
  {
    operation: Type.Enum([...operations], {
      description:
        '`merge` merges the sources into one value. `calculate_metrics` calculates with their numbers. `generate_summary` writes a text about them. `expression` evaluates an expression. `parse` reads a text. `filter`, `map`, `sort`, `group`, `aggregate`, `join` and `split` work on lists.',
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
    expression: expression(
      'For `expression`: the expression whose value is the output. For `map`: the value for each entry, with `item` and `index`.',
    ),
    source: Type.Optional(
      path(
        'For `parse`, `filter`, `map`, `sort`, `group`, `aggregate` and `split`: the path of the text or list. Default: `previous`.',
      ),
    ),
    format: Type.Optional(
      Type.Enum([...parseFormats], {
        description:
          'For `parse`: the format of the text. `lines` returns the lines that are not empty. Required.',
      }),
    ),
    delimiter: Type.Optional(
      Type.String({ minLength: 1, maxLength: 10, description: 'For `parse` of `csv`: Default: `,`.' }),
    ),
    header: Type.Optional(
      Type.Boolean({
        description:
          'For `parse` of `csv`: whether the first line names the fields. Otherwise each row is a list. Default: true.',
      }),
    ),
    selector: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'For `parse` of `html`: the CSS selector of the elements to return. Required.',
      }),
    ),
    where: expression(
      'For `filter`: keeps the entries for which this is true, with `item` and `index`. Required.',
    ),
    by: expression(
      'For `sort` and `group`: the value to sort or group by, with `item` and `index`. Required.',
    ),
    order: Type.Optional(
      Type.Enum(['asc', 'desc'], { description: 'For `sort`: ascending or descending. Default: `asc`.' }),
    ),
    aggregates: Type.Optional(
      Type.Record(
        Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$' }),
        Type.String({ minLength: 1, maxLength: maxExpressionLength }),
        {
          maxProperties: 50,
          additionalProperties: false,
          description:
            'For `group` and `aggregate`: expressions over `items`, by the name of the result, such as `items.sum(i, i.price)`. Of a group, `key` is its value. Required for `aggregate`.',
        },
      ),
    ),
    left: Type.Optional(path('For `join`: the path of the first list. Default: `previous`.')),
    right: Type.Optional(path('For `join`: the path of the second list, whose fields win. Required.')),
    left_key: expression(
      'For `join`: the value of an entry of the first list that must match, such as `item.id`. Required.',
    ),
    right_key: expression('For `join`: the same for the second list. Default: `left_key`.'),
    kind: Type.Optional(
      Type.Enum(['inner', 'left'], {
        description:
          'For `join`: `inner` keeps only entries with a match, `left` all of the first list. Default: `inner`.',
      }),
    ),
    size: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'For `split`: entries of a list, or characters of a text, in each part. Required.',
      }),
    ),
  },
  { additionalProperties: false },
)

const schema = Type.Object(
  {
    ...common,
    type: Type.Literal('data_transform', {
      description: 'Merges, calculates, parses and reshapes values, without a model.',
    }),
    transformations: Type.Array(Transformation, {
      minItems: 1,
      maxItems: 50,
      description: 'Applied one after the other; each can use the output of the previous one as `previous`.',
    }),
  },
  { additionalProperties: false, description: 'Merges, calculates, parses and reshapes values.' },
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

type Transformation = DataTransformStep['transformations'][number]
type Field = keyof Transformation

/** The fields that each operation uses, and those it requires. */
const fieldsOf: Readonly<
  Record<Transformation['operation'], { uses: readonly Field[]; requires?: readonly Field[] }>
> = {
  merge: { uses: ['sources', 'merge_strategy', 'fields'] },
  calculate_metrics: { uses: ['sources', 'fields', 'calculation_method', 'include_visualizations'] },
  generate_summary: { uses: ['sources', 'fields', 'template', 'include_visualizations'] },
  expression: { uses: [], requires: ['expression'] },
  parse: { uses: ['source', 'delimiter', 'header', 'selector'], requires: ['format'] },
  filter: { uses: ['source'], requires: ['where'] },
  map: { uses: ['source'], requires: ['expression'] },
  sort: { uses: ['source', 'order'], requires: ['by'] },
  group: { uses: ['source', 'aggregates'], requires: ['by'] },
  aggregate: { uses: ['source'], requires: ['aggregates'] },
  join: { uses: ['left', 'right_key', 'kind'], requires: ['right', 'left_key'] },
  split: { uses: ['source'], requires: ['size'] },
}

/** The variables of expressions over entries and over lists of entries. */
const ofEntry = ['item', 'index']
const ofItems = ['items', 'key']

function checkTransform({ transformations }: DataTransformStep, place: string): Problem[] {
  return transformations.flatMap((transformation, index) => {
    const at = `${place}.transformations[${index}]`
    const { operation } = transformation
    const { uses, requires = [] } = fieldsOf[operation]
    const usable = new Set<string>(['operation', ...uses, ...requires])
    const useless = Object.keys(transformation).filter((field) => !usable.has(field))
    const missing = requires.filter((field) => transformation[field] === undefined)
    return [
      ...useless.map((field) => ({
        path: `${at}.${field}`,
        message: `has no effect on "${operation}"`,
        code: 'no_effect',
      })),
      ...missing.map((field) => ({
        path: `${at}.${field}`,
        message: `is required with "${operation}"`,
        code: 'required',
      })),
      ...checkParse(transformation, at),
      ...checkFirst(transformation, index, at),
      ...(transformation.sources ?? []).flatMap((source, position) =>
        checkPath(source, `${at}.sources[${position}]`),
      ),
      ...(['source', 'left', 'right'] as const).flatMap((field) => {
        const used = transformation[field]
        return used === undefined ? [] : checkPath(used, `${at}.${field}`)
      }),
      ...checkTemplate(transformation.template, `${at}.template`),
      ...expressionsOf(transformation).flatMap(({ source, field }) =>
        checkExpression(source, `${at}.${field}`),
      ),
    ]
  })
}

/** Fields that only one format of `parse` uses. */
function checkParse({ operation, format, ...given }: Transformation, at: string): Problem[] {
  if (operation !== 'parse' || format === undefined) return []
  const ofFormat: Readonly<Record<string, readonly string[]>> = {
    csv: ['delimiter', 'header'],
    html: ['selector'],
  }
  const useless = (['delimiter', 'header', 'selector'] as const).filter(
    (field) => given[field] !== undefined && ofFormat[format]?.includes(field) !== true,
  )
  return [
    ...useless.map((field) => ({
      path: `${at}.${field}`,
      message: `has no effect on the format "${format}"`,
      code: 'no_effect',
    })),
    ...(format === 'html' && given.selector === undefined
      ? [{ path: `${at}.selector`, message: 'is required with the format "html"', code: 'required' }]
      : []),
  ]
}

/** The first transformation has no `previous`. */
function checkFirst(transformation: Transformation, index: number, at: string): Problem[] {
  const field = sourceFieldOf(transformation)
  if (index > 0 || field === undefined || transformation[field] !== undefined) return []
  return [{ path: `${at}.${field}`, message: 'is required in the first transformation', code: 'required' }]
}

function sourceFieldOf({ operation }: Transformation): 'source' | 'left' | undefined {
  if (operation === 'join') return 'left'
  return fieldsOf[operation].uses.includes('source') ? 'source' : undefined
}

interface UsedExpression {
  readonly source: string
  readonly field: string
  /** The variables that the operation defines. */
  readonly given: readonly string[]
}

function expressionsOf(transformation: Transformation): UsedExpression[] {
  const { operation, aggregates = {} } = transformation
  const ofFields = (['expression', 'where', 'by', 'left_key', 'right_key'] as const).flatMap((field) => {
    const source = transformation[field]
    return source === undefined ? [] : [{ source, field, given: operation === 'expression' ? [] : ofEntry }]
  })
  const ofAggregates = Object.entries(aggregates).map(([name, source]) => ({
    source,
    field: `aggregates.${name}`,
    given: ofItems,
  }))
  return [...ofFields, ...ofAggregates]
}

/** The output of a transformation is `previous` for the next, and a template refers to sources by the last part of their path. */
function inTransformation(transformation: Transformation, index: number): UsedPath[] {
  const { sources = [], template: text, source, left, right } = transformation
  const place = `transformations[${index}]`
  const isPrevious = ({ path: used }: UsedPath): boolean => index > 0 && /^previous(?:$|[.[])/.test(used)
  const given = new Set(sources.map((name) => name.split('.').at(-1)))
  const isGiven = (used: UsedPath): boolean => given.has(/^[^.[]+/.exec(used.path)?.[0] ?? used.path)
  const lists = Object.entries({ source, left, right }).flatMap(([field, used]) =>
    used === undefined ? [] : [{ path: used, at: `${place}.${field}` }],
  )
  return [
    ...sources.map((used, position) => ({ path: used, at: `${place}.sources[${position}]` })),
    ...lists,
    ...inText(text, `${place}.template`).filter((used) => !isGiven(used)),
    ...expressionsOf(transformation).flatMap(({ source: written, field, given: names }) =>
      inExpression(written, `${place}.${field}`, names),
    ),
  ].filter((used) => !isPrevious(used))
}

/** The sources of all transformations, except the outputs they pass to each other. */
function sourcesOf({ transformations }: DataTransformStep, scope: Scope): Readonly<Record<string, unknown>> {
  const [first] = transformations
  const usesMemory = first !== undefined && fieldsOf[first.operation].uses.includes('sources')
  const named = transformations
    .flatMap(({ sources = [], source, left, right }) => [...sources, source, left, right])
    .filter((source) => source !== undefined && source !== 'previous')
  return {
    ...(usesMemory && first.sources === undefined && scope.memory),
    ...Object.fromEntries(named.map((source) => [source, lookUp(scope, source ?? '') ?? null])),
  }
}
