import { type Static, Type } from 'typebox'

export const Role = Type.Object(
  {
    name: Type.String(),
    label: Type.String(),
    permissions: Type.Array(Type.String(), { description: 'Permissions of the role.' }),
    all_permissions: Type.Boolean({
      description: 'Whether the role has every permission, including those that later releases add.',
    }),
    built_in: Type.Boolean({ description: 'Whether the role is built in and cannot be deleted.' }),
    users: Type.Integer({ description: 'Number of accounts with this role.' }),
  },
  { description: 'A role.' },
)

export type Role = Static<typeof Role>
