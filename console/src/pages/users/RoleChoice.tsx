import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { rolesQuery } from '../../api/people-queries.ts'
import { ChoiceList } from '../../parts/ChoiceList.tsx'
import { isGivable } from './given-roles.ts'

interface RoleChoiceProps {
  readonly chosen: readonly string[]
  readonly onChange: (roles: string[]) => void
  readonly error: string | undefined
}

/** The choice of an account's roles, each with its permissions. */
export function RoleChoice({ chosen, onChange, error }: RoleChoiceProps) {
  const { data: roles } = useQuery(rolesQuery(useApi()))
  const choices = roles
    ?.filter(({ name }) => isGivable(name))
    .map(({ name, label, all_permissions, permissions }) => ({
      name,
      title: label,
      about: all_permissions ? 'everything' : permissions.join(', ') || 'none',
    }))
  return <ChoiceList label="Roles" choices={choices} chosen={chosen} onChange={onChange} error={error} />
}
