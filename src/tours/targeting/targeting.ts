import { type Static, Type } from 'typebox'

/** How often a tour is offered to the same visitor. */
const frequencies = ['once', 'days', 'always'] as const

/** The limits of targeting. Lengths are in characters. */
const targetingBounds = {
  conditions: 10,
  values: 20,
  name: 64,
  value: 100,
  days: 365,
} as const

const namePattern = `^[a-z][a-z0-9_-]{0,${targetingBounds.name - 1}}$`
const nameMeans = `must be 1 to ${targetingBounds.name} of a-z, 0-9, _ and -, beginning with a letter`

const Condition = Type.Object(
  {
    attribute: Type.String({
      pattern: namePattern,
      'x-means': nameMeans,
      description: 'Name of an attribute that the page gives, such as `role`.',
    }),
    operator: Type.Enum(['is', 'is_not'], {
      description:
        '`is`: the attribute has one of the values. `is_not`: it has none of them, or the page gives none.',
    }),
    values: Type.Array(Type.String({ minLength: 1, maxLength: targetingBounds.value }), {
      minItems: 1,
      maxItems: targetingBounds.values,
      description: 'Compared without regard to case.',
    }),
  },
  { additionalProperties: false, description: 'A condition on an attribute of the visitor.' },
)

const conditions = Type.Array(Condition, {
  maxItems: targetingBounds.conditions,
  description: 'All of them must be met. They are visible to visitors, like the tour itself.',
})

/** A time of day needs seconds and an offset, so that every browser and PostgreSQL read the same moment. */
const moment = (description: string) =>
  Type.Unsafe<string | null>({
    type: 'string',
    format: 'date-time',
    pattern: '[tT ]\\d\\d:\\d\\d:[0-5]',
    'x-means': 'must be a date with time and offset, such as 2031-05-20T09:30:00Z',
    nullable: true,
    description,
  })

const fields = {
  conditions,
  starts_at: moment('The tour is played from this time on; null: at once.'),
  ends_at: moment('The tour is played until this time; null: without end.'),
  frequency: Type.Enum([...frequencies], {
    description:
      'How often a visitor gets the tour by itself: `once`; `days`: again `days` days after it ended; `always`: at each visit. Default: `once`.',
  }),
  days: Type.Unsafe<number | null>({
    type: 'integer',
    minimum: 1,
    maximum: targetingBounds.days,
    nullable: true,
    description: 'Days between two plays, for the frequency `days`; else null.',
  }),
}

export const Targeting = Type.Object(fields, {
  description: 'Who gets the tour by itself, when, and how often.',
})
export type Targeting = Static<typeof Targeting>

export const TargetingInput = Type.Object(
  {
    conditions: Type.Optional(conditions),
    starts_at: Type.Optional(fields.starts_at),
    ends_at: Type.Optional(fields.ends_at),
    frequency: Type.Optional(fields.frequency),
    days: Type.Optional(fields.days),
  },
  {
    additionalProperties: false,
    description: 'Who gets the tour by itself, when, and how often. Absent fields get their defaults.',
  },
)
export type TargetingInput = Static<typeof TargetingInput>

/** Every visitor gets the tour once, at any time. */
export const noTargeting: Targeting = {
  conditions: [],
  starts_at: null,
  ends_at: null,
  frequency: 'once',
  days: null,
}
