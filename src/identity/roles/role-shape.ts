import { type Static, Type } from 'typebox'

/** A role as those who administer accounts see it. */
export const Role = Type.Object(
  {
    name: Type.String(),
    label: Type.String(),
    permissions: Type.Array(Type.String(), { description: 'What it allows.' }),
    all_permissions: Type.Boolean({
      description: 'Whether it allows everything, with what later releases add.',
    }),
    built_in: Type.Boolean({ description: 'Whether it is always there.' }),
    users: Type.Integer({ description: 'How many accounts have it.' }),
  },
  { description: 'A role.' },
)

export type Role = Static<typeof Role>
