import { useQuery } from '@tanstack/react-query'
import { scopesQuery } from '../../api/access-queries.ts'
import { useApi } from '../../api/api-context.ts'
import type { ScopeName } from '../../api/responses.ts'
import { ChoiceList } from '../../parts/ChoiceList.tsx'

interface ScopeChoiceProps {
  readonly chosen: readonly ScopeName[]
  readonly onChange: (scopes: ScopeName[]) => void
  readonly error: string | undefined
}

/** The most a client may ever ask for. */
export function ScopeChoice({ chosen, onChange, error }: ScopeChoiceProps) {
  const { data: known } = useQuery(scopesQuery(useApi()))
  return (
    <ChoiceList
      label="Scopes"
      choices={known?.data}
      chosen={chosen}
      // Only names that the platform listed can be chosen.
      onChange={(names) => onChange(names as ScopeName[])}
      error={error}
    />
  )
}
