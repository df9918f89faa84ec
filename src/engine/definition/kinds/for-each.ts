import { type Static, Type } from 'typebox'
import type { Problem } from '#kernel/errors'
import { fillValue } from '../../expressions/templates.ts'
import { common } from '../common-step.ts'
import { dollars, memoryKey } from '../values.ts'
import { checkPath, checkTemplate } from './check-values.ts'
import type { StepKind } from './step-kind.ts'
import { inText, inValue } from './used-paths.ts'

const schema = Type.Object(
  {
    ...common,
    type: Type.Literal('for_each', { description: 'Runs the same steps for every item of a list.' }),
    items: Type.String({
      minLength: 1,
      maxLength: 4000,
      description: 'The list: a path such as `steps.find.rows`, or a text that is one placeholder.',
    }),
    steps: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      minItems: 1,
      maxItems: 500,
      description:
        'Steps, as in the flow. They run for each item, depend only on each other, and can read outputs of earlier steps outside.',
    }),
    as: Type.Optional(
      memoryKey(
        'The name under which the steps read their item. Default: `item`, read with `{{item}}`; its position, from 0, is `{{index}}`.',
      ),
    ),
    concurrency: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 50,
        description: 'The maximum number of items that run in parallel. Default: 5.',
      }),
    ),
    max_items: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: 'The step fails when the list is longer. Default: 1000.',
      }),
    ),
    on_item_error: Type.Optional(
      Type.Enum(['fail', 'collect'], {
        description:
          '`fail` stops the other items when one fails, and the step fails. `collect` runs all items; the output has the errors. Default: `fail`.',
      }),
    ),
    item_budget: Type.Optional(
      dollars('The maximum cost of one item, in dollars. Default: only the budget of the execution applies.'),
    ),
    result: Type.Optional(
      Type.Unknown({
        description:
          'The result of an item: any JSON in which `{{path}}` is filled. Default: the output of its last step, or the outputs of all its last steps by id.',
      }),
    ),
    keep_results: Type.Optional(
      Type.Boolean({
        description:
          'Whether the output has the results of the items. `false` is for long lists whose steps store their results elsewhere. Default: true.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'Runs its steps for every item of a list, several in parallel.',
  },
)

export type ForEachStep = Static<typeof schema>

export const forEach = {
  type: 'for_each',
  plural: 'Loop steps',
  schema,
  traits: {
    pure: false,
    callsModels: false,
    sendsPrompt: false,
    callsServices: false,
    decides: 'never',
    validatesOutput: true,
  },
  phase: 'running_items',
  check: checkForEach,
  pathsUsed: (step) => inText(itemsTemplate(step), 'items'),
  container: {
    stepsOf: ({ steps }) => steps,
    variablesOf: ({ as = 'item' }) => [as, 'index'],
    pathsAtEnd: ({ result }) => inValue(result, 'result'),
    collectsErrors: ({ on_item_error }) => on_item_error === 'collect',
  },
  templates: (step) => itemsTemplate(step),
  describeInput: (step, scope) => ({ items: fillValue(itemsTemplate(step), scope).value }),
} as const satisfies StepKind<ForEachStep>

/** `items` as a template: a path stands for its placeholder. */
export function itemsTemplate({ items }: Pick<ForEachStep, 'items'>): string {
  return items.includes('{{') ? items.trim() : `{{${items}}}`
}

function checkForEach(step: ForEachStep, place: string): Problem[] {
  const problems = step.items.includes('{{')
    ? checkTemplate(step.items, `${place}.items`)
    : checkPath(step.items, `${place}.items`)
  if (problems.length === 0 && !/^\{\{.*\}\}$/s.test(itemsTemplate(step))) {
    const message = 'must be one path or one placeholder, because a text around it makes no list'
    problems.push({ path: `${place}.items`, message, code: 'value' })
  }
  if (step.as === 'index') {
    problems.push({
      path: `${place}.as`,
      message: 'must not be "index", the position of the item',
      code: 'value',
    })
  }
  if (step.keep_results === false && step.result !== undefined) {
    const message = 'has no effect while keep_results is false'
    problems.push({ path: `${place}.result`, message, code: 'no_effect' })
  }
  return [...problems, ...checkTemplate(step.result, `${place}.result`)]
}
