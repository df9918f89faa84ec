import { Type } from 'typebox'
import { Comparison, type Engine, ExecutionOptions } from '#engine'
import { flag, freeForm, integer, maybeInteger, maybeText, text } from '../../schemas/values.ts'

export type FlowTest = Awaited<ReturnType<Engine['flowTests']['read']>>

const Expect = Type.Array(Comparison, {
  maxItems: 50,
  description:
    'Conditions that must be true. `field` is `status`, `error.code`, `result`, a path below `result`, or `steps.ID` and below. Unless one reads `status`, the execution must be completed.',
})

const closed = { additionalProperties: false }
const stepId = Type.String({ minLength: 1, maxLength: 64 })

const Choice = Type.Union(
  [
    Type.Object({ kind: Type.Literal('continue'), next: Type.Optional(stepId) }, closed),
    Type.Object({ kind: Type.Literal('jump'), target: stepId }, closed),
    Type.Object(
      {
        kind: Type.Literal('route'),
        added: Type.Array(stepId, { maxItems: 100 }),
        next: Type.Optional(stepId),
      },
      closed,
    ),
  ],
  { description: 'Which steps the step chose, for routing.' },
)

const RecordedAnswer = Type.Object(
  {
    output: Type.Optional(Type.Unsafe<unknown>({ description: 'The output of the step.' })),
    choice: Type.Optional(Choice),
    error: Type.Optional(
      Type.Object(
        { code: Type.String({ maxLength: 64 }), message: Type.String({ maxLength: 2000 }) },
        { additionalProperties: false, description: 'The failure of the step, in place of an output.' },
      ),
    ),
  },
  { additionalProperties: false },
)

const Recorded = Type.Unsafe<FlowTest['recorded']>({
  type: 'object',
  additionalProperties: RecordedAnswer,
  description:
    'What models, services and people answered, by step path: `rate`, `each/0/translate` for a step in the first item of a loop, `agent/0/$turn` and `agent/1/$call_0` for the turns and calls of an agent. At most 5,000 steps and 4 MiB.',
})

const InputFields = {
  context: Type.Optional(freeForm('The context of the execution. Default: empty.')),
  memory: Type.Optional(freeForm('The shared memory at the start. Default: empty.')),
  options: Type.Optional(ExecutionOptions),
}

export const testName = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$',
  'x-means': 'must be up to 100 letters, digits, dots, hyphens and underscores',
  description: 'The name of the test.',
})

export const SaveTestBody = Type.Object(
  {
    from_execution: Type.Optional(
      Type.String({
        format: 'uuid',
        description:
          'A finished execution of the flow, whose input and answers are recorded. In place of `input` and `recorded`.',
      }),
    ),
    input: Type.Optional(Type.Object(InputFields, { additionalProperties: false })),
    recorded: Type.Optional(Recorded),
    expect: Type.Optional(Expect),
  },
  { additionalProperties: false },
)

export const TestSummary = Type.Object({
  name: Type.String(),
  recorded_version: maybeInteger(
    'The version of the flow that was recorded; null when the recording was given.',
  ),
  recorded_steps: Type.Array(Type.String(), { description: 'Paths of the steps with a recorded answer.' }),
  expect: Expect,
  updated_at: integer('Epoch seconds.'),
})

export const WholeTest = Type.Object(
  {
    ...TestSummary.properties,
    input: freeForm('`context`, `memory` and `options`.'),
    recorded: Recorded,
  },
  { description: 'A test with its input and recording, in the form of the request that saves it.' },
)

export const RunTestsBody = Type.Object(
  {
    names: Type.Optional(
      Type.Array(testName, {
        minItems: 1,
        maxItems: 50,
        uniqueItems: true,
        description: 'Default: all tests.',
      }),
    ),
    definition: Type.Optional(
      freeForm('A flow definition to test in place of the current version, as in `POST /flows/validate`.'),
    ),
  },
  { additionalProperties: false },
)

const FailedExpectation = Type.Object(
  {
    field: Type.String(),
    operator: Type.String(),
    expected: Type.Optional(Type.Unsafe<unknown>({ description: 'Absent: the operator needs no value.' })),
    actual: Type.Optional(
      Type.Unsafe<unknown>({
        description: 'Absent: there is no such value. One of more than 20,000 characters is text and cut.',
      }),
    ),
  },
  { description: 'With `EXPECTATION_FAILED`: the condition, and the value that was found.' },
)

export const TestResults = Type.Object(
  {
    success: flag('Always true: the tests have run.'),
    flow_id: Type.String(),
    passed: flag('Whether all tests passed; false without tests, and when not all were run.'),
    message: maybeText('Says that there are no tests, or that not all were run; else null.'),
    tests: Type.Array(
      Type.Object({
        name: Type.String(),
        passed: Type.Boolean(),
        problems: Type.Array(
          Type.Object({
            code: text(
              '`EXPECTATION_FAILED`, `RECORDING_MISSING`, `TEST_TIMEOUT`, or the error of the execution.',
            ),
            message: Type.String(),
            expectation: Type.Optional(FailedExpectation),
          }),
        ),
        execution_id: maybeText(
          'The execution, for its trace; null when the recording does not fit the flow.',
        ),
      }),
    ),
  },
  { description: 'The results, by name.' },
)
