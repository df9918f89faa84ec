import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { permissionsQuery } from '../../api/people-queries.ts'
import { ChoiceList } from '../../parts/ChoiceList.tsx'

interface PermissionChoiceProps {
  readonly chosen: readonly string[]
  readonly onChange: (permissions: string[]) => void
  readonly error: string | undefined
}

/** Everything a role can allow. */
export function PermissionChoice({ chosen, onChange, error }: PermissionChoiceProps) {
  const { data: known } = useQuery(permissionsQuery(useApi()))
  return (
    <ChoiceList label="Permissions" choices={known?.data} chosen={chosen} onChange={onChange} error={error} />
  )
}
