import { getRouteApi, Navigate } from '@tanstack/react-router'
import { useApi } from '../../api/api-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { flowQuery } from '../flows/flow-queries.ts'
import { Editor } from './Editor.tsx'
import { EditorGate, Waiting } from './EditorGate.tsx'
import { readEditorSearch } from './editor-search.ts'
import { originOf } from './origin.ts'

const route = getRouteApi('/flows/$flow/edit')

/** Changing a flow. */
export function EditFlowPage() {
  const { flow } = route.useParams()
  return (
    <EditorGate title="Edit flow">
      {(account) => <EditedFlow key={flow} id={flow} account={account} />}
    </EditorGate>
  )
}

function EditedFlow({ id, account }: { id: string; account: string }) {
  const { view = 'canvas' } = readEditorSearch({ ...route.useSearch() })
  const navigate = route.useNavigate()
  const { data, failure, refetch, isFetchedAfterMount } = useAnswer({
    ...flowQuery(useApi(), { id, version: undefined }),
    // What was read a while ago may be older than what somebody else saved since.
    refetchOnMount: 'always' as const,
  })
  const flow = isFetchedAfterMount ? data : undefined
  if (flow?.built_in === true) return <Navigate to="/new-flow" search={{ from: id }} replace />
  if (flow === undefined) {
    return (
      <Waiting
        title="Edit flow"
        what="The flow could not be read."
        failure={failure}
        onRetry={() => void refetch()}
      />
    )
  }
  return (
    <Editor
      account={account}
      begin={() => originOf(flow)}
      view={view}
      onView={(wanted) =>
        void navigate({ search: readEditorSearch({ view: wanted }), replace: true, resetScroll: false })
      }
    />
  )
}
