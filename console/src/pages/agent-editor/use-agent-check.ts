import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import type { Problem } from '../../api/api-failure.ts'
import type { paths } from '../../api/schema.generated.ts'
import type { AgentDraft } from './agent-draft.ts'

type CheckBody =
  paths['/ai-orchestra/api/agents/validate']['post']['requestBody']['content']['application/json']

const afterTypingMs = 400

interface AgentCheck {
  /** The problems of the draft, or of the one before it while the newest is being checked. */
  readonly problems: readonly Problem[]
  readonly idTaken: boolean
  /** Whether the problems are those of the current draft. */
  readonly isCurrent: boolean
  /** Why the draft could not be checked. */
  readonly failure: Error | null
}

/** The server's validation of a draft, requested shortly after the last change. */
export function useAgentCheck(draft: AgentDraft): AgentCheck {
  const api = useApi()
  const [settled, setSettled] = useState(draft)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(draft), afterTypingMs)
    return () => clearTimeout(timer)
  }, [draft])
  const { data, error, isPlaceholderData } = useQuery({
    queryKey: ['agent-check', settled],
    queryFn: ({ signal }) =>
      bodyOf(
        api.client.POST('/ai-orchestra/api/agents/validate', {
          signal,
          // A draft is sent as it is, valid or not.
          body: { agent_definition: settled } as unknown as CheckBody,
        }),
      ),
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  })
  return {
    problems: data?.validation_results.errors ?? [],
    idTaken: data?.id_taken ?? false,
    isCurrent: data !== undefined && !isPlaceholderData && settled === draft,
    failure: error,
  }
}
