import { type Static, Type } from 'typebox'
import { path, stepId } from './values.ts'

/** The operators of comparisons. */
export const operators = ['>=', '<', '>', '<=', '==', '!=', 'contains', 'in', 'exists', 'matches'] as const

const comparison = {
  field: path('The value to compare: a path such as `analysis.score` or `metadata.language`.'),
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

export const Comparison = Type.Object(comparison, { additionalProperties: false })

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
  { ...comparison, action: action('The action when the condition is true.') },
  { additionalProperties: false },
)

export type Comparison = Static<typeof Comparison>
export type Condition = Static<typeof Condition>
export type Action = Condition['action']
