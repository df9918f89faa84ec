import { Type } from 'typebox'
import { oneLineOrEmpty } from '#kernel/http'
import { memoryKey, path, stepId } from './values.ts'

export const failureStrategies = ['abort', 'continue', 'fallback', 'retry_with_different_provider'] as const

const validation = Type.Object(
  {
    min_length: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Fewest characters of the output. Default: any number.' }),
    ),
    required_sections: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 50,
        description: 'Headings, or keys of a JSON output, that must be there.',
      }),
    ),
    quality_threshold: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description:
          'Lowest quality score of the text, 0 to 100; 0 to 1 counts as a share of 100. A text of fewer than 20 words has none, and fails.',
      }),
    ),
    required_fields: Type.Optional(
      Type.Array(path('A path into the output, such as `items[0].name`.'), {
        maxItems: 50,
        description: 'Fields the JSON output must have, and not as null.',
      }),
    ),
    min_confidence: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1,
        description: 'Lowest confidence of the answer or decision, 0 to 1. One that says none fails.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'What the output must satisfy for the step to succeed. Default: nothing.',
  },
)

const retries = Type.Object(
  {
    max_attempts: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 20,
        description: 'Most tries, the first included. Default: what the flow says, else 1.',
      }),
    ),
    retry_on_validation_failure: Type.Optional(
      Type.Boolean({
        description:
          'Whether an output that does not satisfy `validation` is asked for again. Default: false.',
      }),
    ),
  },
  { additionalProperties: false, description: 'How often it is tried again when it fails.' },
)

const failing = Type.Object(
  {
    on_failure: Type.Optional(
      Type.Enum([...failureStrategies], {
        description:
          '`abort` ends the execution. `continue` goes on without an output. `fallback` goes on with `fallback_message` as the output. `retry_with_different_provider` asks the other providers first, then aborts. Default: what the flow says, else `abort`.',
      }),
    ),
    fallback_message: Type.Optional(
      Type.String({ maxLength: 10_000, description: 'The output of the step when `fallback` is chosen.' }),
    ),
  },
  { additionalProperties: false, description: 'What happens when it has failed for good.' },
)

/** What a step of any type can say. */
export const common = {
  id: stepId('Names the step inside its flow: other steps and results mention it by this.'),
  label: Type.Optional(
    Type.String({ maxLength: 200, ...oneLineOrEmpty, description: 'What people call it. Default: its id.' }),
  ),
  dependencies: Type.Optional(
    Type.Array(stepId('The id of another step.'), {
      maxItems: 500,
      description: 'Steps that must be over before this one begins. Default: none.',
    }),
  ),
  output_to_memory: Type.Optional(
    memoryKey(
      'Keeps the output in the shared memory under this name: `analysis` is read with `{{analysis}}`. Default: `{{steps.ID}}` alone has it.',
    ),
  ),
  validation: Type.Optional(validation),
  retry_config: Type.Optional(retries),
  parallel_execution: Type.Optional(
    Type.Boolean({
      description: 'Whether it may run beside other steps; `false` has it run alone. Default: true.',
    }),
  ),
  error_handling: Type.Optional(failing),
}
