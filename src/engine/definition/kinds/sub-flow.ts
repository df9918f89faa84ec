import { type Static, Type } from 'typebox'
import { fillValue } from '../../expressions/templates.ts'
import { common } from '../common-step.ts'
import { dollars, flowId } from '../values.ts'
import { checkTemplate } from './check-values.ts'
import type { StepKind } from './step-kind.ts'
import { inValue } from './used-paths.ts'

const schema = Type.Object(
  {
    ...common,
    type: Type.Literal('sub_flow', { description: 'Runs another flow as one step.' }),
    flow: flowId('The id of the flow.'),
    flow_version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'The number of the version. Default: the current one when the step starts.',
      }),
    ),
    input: Type.Optional(
      Type.Record(Type.String({ minLength: 1, maxLength: 200 }), Type.Unknown(), {
        maxProperties: 100,
        description:
          'The context of the flow, in which `{{path}}` is filled. The flow sees nothing else of this one. Default: empty.',
      }),
    ),
    max_cost: Type.Optional(
      dollars(
        'The maximum cost of the flow, in dollars. Default: the `max_total_cost` of the flow, and the budget of the execution.',
      ),
    ),
  },
  {
    additionalProperties: false,
    description: 'Runs the steps of another flow; the result of the flow is the output.',
  },
)

export type SubFlowStep = Static<typeof schema>

export const subFlow = {
  type: 'sub_flow',
  plural: 'Sub-flow steps',
  schema,
  traits: {
    pure: false,
    callsModels: false,
    sendsPrompt: false,
    callsServices: false,
    decides: 'never',
    validatesOutput: true,
  },
  phase: 'running_sub_flow',
  check: ({ input }, place) => checkTemplate(input, `${place}.input`),
  pathsUsed: ({ input }) => inValue(input, 'input'),
  container: {
    stepsOf: () => [],
    variablesOf: () => [],
    pathsAtEnd: () => [],
    collectsErrors: () => false,
  },
  templates: ({ input }) => input,
  describeInput: ({ flow, flow_version, input = {} }, scope) => ({
    flow,
    ...(flow_version !== undefined && { flow_version }),
    input: fillValue(input, scope).value,
  }),
} as const satisfies StepKind<SubFlowStep>
