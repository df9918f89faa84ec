import { type Static, Type } from 'typebox'
import { Path, StepId } from './values.ts'

/** How two values are compared. */
export const operators = ['>=', '<', '>', '<=', '==', '!=', 'contains', 'in', 'exists', 'matches'] as const

const comparison = {
  field: Path,
  operator: Type.Enum([...operators], {
    description:
      '`contains`: a text or a list has the value. `in`: the value is a list that has the field. `exists`: the field is there (or, with `value: false`, is not). `matches`: the text fits a pattern in which `*` stands for any text.',
  }),
  value: Type.Optional(Type.Unknown({ description: 'What the field is compared with.' })),
}

export const Comparison = Type.Object(comparison, { additionalProperties: false })

export const Action = Type.Object(
  {
    type: Type.Enum(['continue', 'jump_to_step'], {
      description:
        '`continue` goes on as drawn; with `next_step`, that one of the named steps is chosen. `jump_to_step` leaves out everything between here and `target_step`.',
    }),
    next_step: Type.Optional(StepId),
    target_step: Type.Optional(StepId),
    reason: Type.Optional(Type.String({ maxLength: 1000, description: 'Told with the decision.' })),
  },
  { additionalProperties: false },
)

export const Condition = Type.Object({ ...comparison, action: Action }, { additionalProperties: false })

export type Comparison = Static<typeof Comparison>
export type Action = Static<typeof Action>
export type Condition = Static<typeof Condition>
