import { type Static, Type } from 'typebox'
import { oneLineOrEmpty } from '#kernel/http'
import { memoryKey, path, stepId } from './values.ts'

export const failureStrategies = ['abort', 'continue', 'fallback', 'retry_with_different_provider'] as const

const validation = Type.Object(
  {
    min_length: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Minimum number of characters of the output. Default: no minimum.',
      }),
    ),
    required_sections: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 50,
        description: 'Required headings of a text, or keys of a JSON output.',
      }),
    ),
    quality_threshold: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description:
          'Minimum quality score of the text, 0 to 100; a value up to 1 is a fraction. A text of fewer than 20 words has no score, and fails.',
      }),
    ),
    required_fields: Type.Optional(
      Type.Array(path('A path into the output, such as `items[0].name`.'), {
        maxItems: 50,
        description: 'Required fields of the JSON output; null counts as missing.',
      }),
    ),
    min_confidence: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Minimum confidence of the response or decision, 0 to 1. An unknown confidence fails.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'Checks that the output must pass. Default: none.',
  },
)

const retries = Type.Object(
  {
    max_attempts: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 20,
        description:
          'Maximum number of attempts, including the first. Default: the setting of the flow, else 1.',
      }),
    ),
    retry_on_validation_failure: Type.Optional(
      Type.Boolean({
        description: 'Whether the step is retried when its output fails `validation`. Default: false.',
      }),
    ),
  },
  { additionalProperties: false, description: 'Retries after a failure.' },
)

const failing = Type.Object(
  {
    on_failure: Type.Optional(
      Type.Enum([...failureStrategies], {
        description:
          '`abort` ends the execution. `continue` continues without an output. `fallback` continues with `fallback_message` as the output. `retry_with_different_provider` tries the other providers first, then aborts. Default: the setting of the flow, else `abort`.',
      }),
    ),
    fallback_message: Type.Optional(
      Type.String({ maxLength: 10_000, description: 'The output of the step with `fallback`.' }),
    ),
  },
  { additionalProperties: false, description: 'What happens when all attempts have failed.' },
)

/** The fields of all step types. */
export const common = {
  id: stepId('The id of the step, unique in its flow. Other steps and results refer to it.'),
  label: Type.Optional(
    Type.String({ maxLength: 200, ...oneLineOrEmpty, description: 'The display name. Default: the id.' }),
  ),
  dependencies: Type.Optional(
    Type.Array(stepId('The id of another step.'), {
      maxItems: 500,
      description: 'Steps that must end before this one starts. Default: none.',
    }),
  ),
  output_to_memory: Type.Optional(
    memoryKey(
      'Stores the output in the shared memory under this name: `analysis` is read with `{{analysis}}`. Default: only `{{steps.ID}}` has the output.',
    ),
  ),
  validation: Type.Optional(validation),
  retry_config: Type.Optional(retries),
  parallel_execution: Type.Optional(
    Type.Boolean({
      description: 'Whether it may run in parallel with other steps. Default: true.',
    }),
  ),
  error_handling: Type.Optional(failing),
  on_error: Type.Optional(
    stepId(
      'The step to continue with when all attempts have failed; steps between are skipped, and `{{errors.ID.code}}`, `.message` and `.status` hold the error. It is skipped when this step succeeds. Default: `error_handling` decides.',
    ),
  ),
}

/** The operators of comparisons. */
export const operators = ['>=', '<', '>', '<=', '==', '!=', 'contains', 'in', 'exists', 'matches'] as const

/** Conditions inside a condition. They are described as objects, so that forms and clients need no recursion; `checkCondition` checks them. */
const inner = Type.Object({}, { additionalProperties: true })

const maxConditions = 100

const comparison = {
  field: path(
    'The value to compare: a path such as `analysis.score` or `metadata.language`. Requires `operator`.',
  ),
  operator: Type.Enum([...operators], {
    description:
      '`contains`: a text or a list contains the value. `in`: the value is a list that contains the field. `exists`: the field exists (or, with `value: false`, does not). `matches`: the text matches a pattern in which `*` is any text.',
  }),
  value: Type.Optional(
    Type.Unknown({
      description: 'The value to compare with: a number, a text, true or false, or a list for `in`.',
    }),
  ),
}

/** A condition that compares a value. */
export const Comparison = Type.Object(comparison, { additionalProperties: false })

/** The fields of a condition. It has one of the forms `field`, `all`, `any`, `not` and `expression`. */
const test = {
  field: Type.Optional(comparison.field),
  operator: Type.Optional(comparison.operator),
  value: comparison.value,
  expression: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 4000,
      description:
        'In place of a comparison: an expression that is true or false, such as `score > 70 && language in ["de", "fr"]`.',
    }),
  ),
  all: Type.Optional(
    Type.Array(inner, {
      minItems: 1,
      maxItems: maxConditions,
      description:
        'In place of a comparison: conditions that must all be true, in the same form as this one.',
    }),
  ),
  any: Type.Optional(
    Type.Array(inner, {
      minItems: 1,
      maxItems: maxConditions,
      description: 'In place of a comparison: conditions of which one must be true, in the same form.',
    }),
  ),
  not: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'In place of a comparison: a condition that must be false, in the same form.',
      },
    ),
  ),
}

/** A condition without an action. */
export const Test = Type.Object(test, { additionalProperties: false })

/** The action of a decision; `when` is its description. */
export function action(when: string) {
  return Type.Object(
    {
      type: Type.Enum(['continue', 'jump_to_step'], {
        description:
          '`continue` continues along the edges; with `next_step`, only this one of the named steps runs. `jump_to_step` skips all steps between this one and `target_step`.',
      }),
      next_step: Type.Optional(
        stepId('With `continue`: the step that runs. Other steps that this decision names are skipped.'),
      ),
      target_step: Type.Optional(stepId('With `jump_to_step`: the step to continue with.')),
      reason: Type.Optional(
        Type.String({ maxLength: 1000, description: 'The reason, shown with the decision.' }),
      ),
    },
    { additionalProperties: false, description: when },
  )
}

export const Condition = Type.Object(
  { ...test, action: action('The action when the condition is true.') },
  { additionalProperties: false },
)

export type Comparison = Static<typeof Comparison>
export type Test = Static<typeof Test>
export type Condition = Static<typeof Condition>

export type Action = Condition['action']
