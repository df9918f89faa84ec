import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Navigate, useRouterState } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useLastFailure } from '../../api/use-api-query.ts'
import { flowQuery } from '../workflows/flow-queries.ts'
import { Editor } from './Editor.tsx'
import { EditorGate, Waiting } from './EditorGate.tsx'
import { type EditorSearch, readEditorSearch, readNewFlowSearch } from './editor-search.ts'
import { copyOf, newFlow } from './origin.ts'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The ID of the flow saved from this page. */
    readonly made?: string
  }
}

const route = getRouteApi('/workflows/new')

/**
 * The page that creates a flow, from nothing or as a copy. After the first save, the address of the new flow masks this
 * page: the editor stays mounted and keeps the undo history and the scroll position.
 */
export function NewFlowPage() {
  const { from } = readNewFlowSearch({ ...route.useSearch() })
  const shown = useRouterState({ select: ({ location }) => location.maskedLocation?.pathname })
  const flow = shown === undefined ? undefined : flowIn(shown)
  const [making, setMaking] = useState<Making>({ flow, made: undefined, count: 0 })
  if (flow !== making.flow) setMaking(goOn(making, flow))
  // Browser history navigation can lead here after the editor was closed: then the saved flow opens in its own page.
  if (flow !== undefined && flow !== making.made) {
    return <Navigate to="/workflows/$flow/edit" params={{ flow }} replace />
  }
  return (
    <EditorGate title="New workflow">
      {(account) => (
        <MadeFlow
          key={`${from ?? ''} ${making.count}`}
          from={from}
          account={account}
          made={flow}
          onMade={(made) => setMaking((it) => ({ ...it, made }))}
        />
      )}
    </EditorGate>
  )
}

interface Making {
  /** The flow in the address. */
  readonly flow: string | undefined
  /** The flow saved from the open editor. */
  readonly made: string | undefined
  /** The number of editors opened here before; it keys the editor. */
  readonly count: number
}

/** The address of the flow just saved keeps the editor; any other address opens a new one. */
function goOn({ made, count, flow: before }: Making, flow: string | undefined): Making {
  return before === undefined ? { flow, made, count } : { flow, made: undefined, count: count + 1 }
}

function flowIn(path: string): string | undefined {
  const flow = /^\/workflows\/([^/]+)\/edit$/.exec(path)?.[1]
  return flow === undefined ? undefined : decodeURIComponent(flow)
}

interface MadeFlowProps {
  readonly from: string | undefined
  readonly account: string
  /** The flow saved from this editor. */
  readonly made: string | undefined
  readonly onMade: (flow: string) => void
}

function MadeFlow({ from, account, made, onMade }: MadeFlowProps) {
  const { from: _, ...address } = readNewFlowSearch({ ...route.useSearch() })
  const navigate = route.useNavigate()
  const result = useQuery({
    ...flowQuery(useApi(), { id: from ?? '', version: undefined }),
    enabled: from !== undefined,
  })
  const failure = useLastFailure(result)
  const { data: flow, refetch } = result
  if (from !== undefined && flow === undefined) {
    return (
      <Waiting
        title="New workflow"
        what="The workflow to copy could not be loaded."
        failure={failure}
        onRetry={() => void refetch()}
      />
    )
  }
  const show = (wanted: EditorSearch, as: string | undefined) =>
    void navigate({
      search: readNewFlowSearch({ ...wanted, from }),
      // The route stays the same and only its address is masked, so the router keeps the editor mounted.
      state: as === undefined ? {} : { made: as },
      ...(as === undefined
        ? {}
        : {
            mask: {
              to: '/workflows/$flow/edit',
              params: { flow: as },
              search: readEditorSearch({ ...wanted }),
              unmaskOnReload: true,
            } as const,
          }),
      replace: true,
      resetScroll: false,
    })
  return (
    <Editor
      account={account}
      begin={() => (flow === undefined ? newFlow : copyOf(flow))}
      address={address}
      onAddress={(change) => show({ ...address, step: undefined, ...change }, made)}
      onMade={(id) => {
        onMade(id)
        show(address, id)
      }}
    />
  )
}
