import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useLastFailure } from '../../api/use-api-query.ts'
import { agentQuery } from '../agents/agent-queries.ts'
import { EditorGate, Waiting } from '../flow-editor/EditorGate.tsx'
import { AgentEditor } from './AgentEditor.tsx'
import { copyOfAgent, newAgent } from './agent-draft.ts'
import { readAgentEditorSearch } from './agent-editor-search.ts'

const route = getRouteApi('/agents/new')

/** The page that creates an agent, from nothing or as a copy. */
export function NewAgentPage() {
  const { from } = readAgentEditorSearch({ ...route.useSearch() })
  return (
    <EditorGate title="New agent">
      {(account) => <MadeAgent key={from ?? ''} from={from} account={account} />}
    </EditorGate>
  )
}

function MadeAgent({ from, account }: { from: string | undefined; account: string }) {
  const result = useQuery({ ...agentQuery(useApi(), { id: from ?? '' }), enabled: from !== undefined })
  const failure = useLastFailure(result)
  const { data, refetch } = result
  const origin = useMemo(() => (data === undefined ? newAgent : copyOfAgent(data)), [data])
  if (from !== undefined && data === undefined)
    return (
      <Waiting
        title="New agent"
        what="The agent to copy could not be loaded."
        failure={failure}
        onRetry={() => void refetch()}
      />
    )
  return <AgentEditor account={account} origin={origin} onReload={() => void refetch()} />
}
