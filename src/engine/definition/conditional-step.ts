import { Type } from 'typebox'
import { common } from './common-step.ts'
import { action, Condition } from './conditions.ts'

export const ConditionalSchema = Type.Object(
  {
    ...common,
    type: Type.Literal('conditional', { description: 'Compares values, and decides which steps run.' }),
    conditions: Type.Array(Condition, {
      minItems: 1,
      maxItems: 100,
      description: 'Looked at from first to last. The first that holds decides.',
    }),
    default_action: Type.Optional(
      action('What happens when no condition holds. Default: it goes on as drawn.'),
    ),
  },
  { additionalProperties: false, description: 'Takes the action of the first condition that holds.' },
)
