import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { agentsQuery } from './agent-queries.ts'

/** What people call an agent; undefined while that is not known, and the id of one that is gone. */
export function useAgentLabels(): ((id: string) => string) | undefined {
  const { data, isPending } = useQuery(agentsQuery(useApi(), {}))
  if (isPending) return undefined
  const labels = new Map(data?.agents.map(({ id, label }) => [id, label]))
  return (id) => labels.get(id) ?? id
}
