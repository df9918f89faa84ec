import { Button } from '@mantine/core'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Page } from '../../parts/Page.tsx'
import { Section } from '../../parts/Section.tsx'
import { StreamStatus } from '../../parts/StreamStatus.tsx'
import { ClusterSummary } from './ClusterSummary.tsx'
import type { ClusterNode } from './cluster-bodies.ts'
import { NodeTable } from './NodeTable.tsx'
import { useLiveCluster } from './use-live-cluster.ts'
import { operatorPermission, useMayOperate } from './use-may-operate.ts'

const loadNodeDrawer = () => import('./NodeDrawer.tsx')
const NodeDrawer = lazy(loadNodeDrawer)
const AddNode = lazy(() => import('./AddNode.tsx'))
const route = getRouteApi('/cluster')

/** The model nodes as they are now, and what an operator can do with them. */
export function ClusterPage() {
  const { node: openId, create } = route.useSearch()
  const navigate = route.useNavigate()
  const mayOperate = useMayOperate()
  const { data: cluster, failure, refetch, streamState, refusal } = useLiveCluster()
  const refresh = () => void refetch()

  useEffect(() => {
    // Fetched early, a row opens at once; a failed fetch is no loss, opening asks again.
    void loadNodeDrawer().catch(() => undefined)
  }, [])

  const openAdd = () => void navigate({ search: { create: true } })
  const open = (id: string) => void navigate({ search: { node: id }, resetScroll: false })
  const close = () => void navigate({ search: {}, resetScroll: false })

  return (
    <Page
      title="Cluster"
      lead={
        mayOperate
          ? 'Requests for models are shared out among these nodes. What you change here holds until the cluster restarts; nodes that should stay are named in CLUSTER_NODES.'
          : `Requests for models are shared out among these nodes. Changing them needs the permission “${operatorPermission}”.`
      }
      aside={
        <>
          {cluster === undefined ? null : <StreamStatus state={streamState} />}
          {mayOperate ? (
            <Button size="sm" leftSection={<IconPlus size={16} aria-hidden />} onClick={openAdd}>
              Add node
            </Button>
          ) : null}
        </>
      }
    >
      {cluster === undefined && failure !== null ? (
        <FailureNotice what="The cluster could not be read." error={failure} onRetry={refresh} />
      ) : (
        <>
          {refusal === null ? null : (
            <FailureNotice
              what="The cluster cannot be followed; below is what it last told."
              error={refusal}
              onRetry={refresh}
            />
          )}
          <ClusterSummary cluster={cluster} mayOperate={mayOperate} />
          <Section title="Nodes" note={countText(cluster?.nodes)}>
            <NodeTable
              nodes={cluster?.nodes}
              openId={openId}
              mayOperate={mayOperate}
              onOpen={open}
              onAdd={openAdd}
              onRefresh={refresh}
            />
          </Section>
        </>
      )}
      <Suspense>
        {create === true && mayOperate ? <AddNode onClose={close} /> : null}
        {openId === undefined || cluster === undefined ? null : (
          <NodeDrawer
            key={openId}
            id={openId}
            node={cluster.nodes.find(({ id }) => id === openId)}
            mayOperate={mayOperate}
            onClose={close}
          />
        )}
      </Suspense>
    </Page>
  )
}

function countText(nodes: readonly ClusterNode[] | undefined): string | undefined {
  if (nodes === undefined || nodes.length === 0) return undefined
  return `${nodes.filter(({ status }) => status === 'healthy').length} of ${nodes.length} healthy`
}
