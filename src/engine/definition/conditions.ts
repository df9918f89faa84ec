import { type Static, Type } from 'typebox'
import { path, stepId } from './values.ts'

/** How two values are compared. */
export const operators = ['>=', '<', '>', '<=', '==', '!=', 'contains', 'in', 'exists', 'matches'] as const

const comparison = {
  field: path('What is looked at: a path such as `analysis.score` or `metadata.language`.'),
  operator: Type.Enum([...operators], {
    description:
      '`contains`: a text or a list has the value. `in`: the value is a list that has the field. `exists`: the field is there (or, with `value: false`, is not). `matches`: the text fits a pattern in which `*` stands for any text.',
  }),
  value: Type.Optional(
    Type.Unknown({
      description: 'What the field is compared with: a number, a text, true or false, or a list for `in`.',
    }),
  ),
}

export const Comparison = Type.Object(comparison, { additionalProperties: false })

/** What a decision leads to; `when` says in which case, for whoever fills it in. */
export function action(when: string) {
  return Type.Object(
    {
      type: Type.Enum(['continue', 'jump_to_step'], {
        description:
          '`continue` goes on as drawn; with `next_step`, that one of the named steps is chosen. `jump_to_step` leaves out everything between here and `target_step`.',
      }),
      next_step: Type.Optional(
        stepId('With `continue`: the step that runs. Others that this decision names do not.'),
      ),
      target_step: Type.Optional(stepId('With `jump_to_step`: where it goes on.')),
      reason: Type.Optional(
        Type.String({ maxLength: 1000, description: 'Why, in your words. Shown with the decision.' }),
      ),
    },
    { additionalProperties: false, description: when },
  )
}

export const Condition = Type.Object(
  { ...comparison, action: action('What happens when it holds.') },
  { additionalProperties: false },
)

export type Comparison = Static<typeof Comparison>
export type Condition = Static<typeof Condition>
export type Action = Condition['action']
