import { getRouteApi, Navigate } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { agentQuery } from '../agents/agent-queries.ts'
import { EditorGate, Waiting } from '../flow-editor/EditorGate.tsx'
import { AgentEditor } from './AgentEditor.tsx'
import { originOfAgent } from './agent-draft.ts'

const route = getRouteApi('/agents/$agent/edit')

/** The page that edits an agent. A built-in agent is edited as a copy. */
export function EditAgentPage() {
  const { agent } = route.useParams()
  return (
    <EditorGate title="Edit agent">
      {(account) => <EditedAgent key={agent} id={agent} account={account} />}
    </EditorGate>
  )
}

function EditedAgent({ id, account }: { id: string; account: string }) {
  const { data, failure, refetch, isFetchedAfterMount } = useApiQuery({
    ...agentQuery(useApi(), { id }),
    // The cached agent may be older than the version another user saved since.
    refetchOnMount: 'always' as const,
    // The version that is edited changes only when it is saved here or loaded again.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const [loads, setLoads] = useState(0)
  const agent = isFetchedAfterMount ? data : undefined
  const origin = useMemo(() => (agent === undefined ? undefined : originOfAgent(agent)), [agent])
  if (agent?.built_in === true) return <Navigate to="/agents/new" search={{ from: id }} replace />
  if (origin === undefined)
    return (
      <Waiting
        title="Edit agent"
        what="The agent could not be loaded."
        failure={failure}
        onRetry={() => void refetch()}
      />
    )
  return (
    <AgentEditor
      key={loads}
      account={account}
      origin={origin}
      onReload={() => void refetch().then(() => setLoads((before) => before + 1))}
    />
  )
}
