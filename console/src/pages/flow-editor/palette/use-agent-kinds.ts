import { useMemo } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { useAnswer } from '../../../api/use-answer.ts'
import { agentsQuery } from '../../agents/agent-queries.ts'
import { agentKind } from '../document/step-kinds.ts'

/** The agents of the catalogue that can work, as kinds of steps; undefined while they are on their way. */
export function useAgentKinds() {
  const { data, failure, refetch } = useAnswer(agentsQuery(useApi(), {}))
  const kinds = useMemo(
    () =>
      data?.agents
        .filter(({ status }) => status === 'active')
        .map((agent) => ({ ...agentKind(agent), about: agent.description })),
    [data],
  )
  return { kinds, failure, retry: () => void refetch() }
}
