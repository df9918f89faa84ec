import { Type } from 'typebox'
import { common } from './common-step.ts'
import { action, Condition } from './conditions.ts'

export const ConditionalSchema = Type.Object(
  {
    ...common,
    type: Type.Literal('conditional', { description: 'Compares values and decides which steps run.' }),
    conditions: Type.Array(Condition, {
      minItems: 1,
      maxItems: 100,
      description: 'Evaluated in order. The first true condition decides.',
    }),
    default_action: Type.Optional(
      action('The action when no condition is true. Default: the flow continues along its edges.'),
    ),
  },
  { additionalProperties: false, description: 'Takes the action of the first true condition.' },
)
