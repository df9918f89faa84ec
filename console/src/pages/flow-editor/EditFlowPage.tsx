import { getRouteApi, Navigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useApi } from '../../api/api-context.ts'
import { ApiFailure } from '../../api/api-failure.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { flowQuery } from '../workflows/flow-queries.ts'
import { Editor } from './Editor.tsx'
import { EditorGate, Waiting } from './EditorGate.tsx'
import { readEditorSearch } from './editor-search.ts'
import { deletedFlow, originOf } from './origin.ts'
import { browserDrafts, draftName } from './save/drafts.ts'

const route = getRouteApi('/workflows/$flow/edit')

/** The page that edits an existing flow. */
export function EditFlowPage() {
  const { flow } = route.useParams()
  return (
    <EditorGate title="Edit workflow">
      {(account) => <EditedFlow key={flow} id={flow} account={account} />}
    </EditorGate>
  )
}

function EditedFlow({ id, account }: { id: string; account: string }) {
  const address = readEditorSearch({ ...route.useSearch() })
  const navigate = route.useNavigate()
  const { data, failure, refetch, isFetchedAfterMount } = useApiQuery({
    ...flowQuery(useApi(), { id, version: undefined }),
    // The cached flow may be older than the version another user saved since.
    refetchOnMount: 'always' as const,
  })
  const flow = isFetchedAfterMount ? data : undefined
  const isGone = failure instanceof ApiFailure && failure.status === 404
  // The draft of a deleted flow is kept: saving it creates the flow again.
  const deleted = useMemo(() => (isGone ? findDeleted(account, id) : null), [isGone, account, id])
  if (flow?.built_in === true) return <Navigate to="/workflows/new" search={{ from: id }} replace />
  const origin = flow === undefined ? deleted : originOf(flow)
  if (origin === null) {
    return (
      <Waiting
        title="Edit workflow"
        what="The workflow could not be loaded."
        failure={failure}
        onRetry={() => void refetch()}
      />
    )
  }
  return (
    <Editor
      account={account}
      begin={() => origin}
      address={address}
      onAddress={(change) =>
        void navigate({
          search: readEditorSearch({ ...address, step: undefined, ...change }),
          // The browser goes back to the scope that was open before.
          replace: !('in' in change),
          resetScroll: false,
        })
      }
    />
  )
}

/** The draft this browser has of a deleted flow, if any. */
function findDeleted(account: string, flow: string) {
  const draft = browserDrafts().find(draftName(account, { flow, copyOf: null }))
  return draft === null ? null : deletedFlow(flow, draft.revision)
}
