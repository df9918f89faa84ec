import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { useMay } from '../../api/use-may.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { Surface } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { notify } from '../../shell/notify.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { type AgentVersion, agentVersionsQuery, type WholeAgent } from '../agents/agent-queries.ts'

interface AgentVersionsProps {
  readonly agent: WholeAgent
  readonly onShow: (version: number) => void
}

/** All saved versions of an agent, each with a restore action. */
export function AgentVersions({ agent, onShow }: AgentVersionsProps) {
  const [page, setPage] = useState(1)
  const [wanted, setWanted] = useState<AgentVersion>()
  const mayManage = useMay('manage workflows') && !agent.built_in
  const { data, failure, refetch } = useApiQuery(agentVersionsQuery(useApi(), { id: agent.id, page }))
  if (data === undefined && failure !== null)
    return (
      <FailureNotice
        what="The versions could not be loaded."
        error={failure}
        onRetry={() => void refetch()}
      />
    )
  return (
    <>
      <Surface>
        <Table
          label="Versions"
          columns={columnsFor({ shown: agent.revision, mayManage, onShow, onWant: setWanted })}
          rows={data?.versions}
          total={data?.total}
          rowKey={({ revision }) => revision}
        />
      </Surface>
      <Pager order="newest first" page={page} total={data?.total} onPage={setPage} />
      {wanted === undefined ? null : (
        <RollBackAgent agent={agent} version={wanted} onClose={() => setWanted(undefined)} />
      )}
    </>
  )
}

interface Ways {
  /** The selected version. */
  readonly shown: number
  readonly mayManage: boolean
  readonly onShow: (version: number) => void
  readonly onWant: (version: AgentVersion) => void
}

function columnsFor({ shown, mayManage, onShow, onWant }: Ways): ReadonlyArray<Column<AgentVersion>> {
  return [
    {
      title: 'Version',
      value: ({ revision }) => revision,
      cell: ({ version, current }) =>
        current ? <Status tone="good" word={`${version}, current`} /> : version,
    },
    { title: 'Changes', value: ({ note }) => note, minWidth: 160, cell: ({ note }) => note ?? '–' },
    {
      title: 'Saved',
      value: ({ saved_at: at }) => at,
      numeric: true,
      cell: ({ saved_at: at }) => <RelativeTime at={new Date(at * 1000).toISOString()} />,
    },
    {
      title: 'Actions',
      quiet: true,
      numeric: true,
      cell: (version) => (
        <Button.Group>
          {version.revision === shown ? null : (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Show version ${version.version}`}
              onClick={() => onShow(version.revision)}
            >
              Show
            </Button>
          )}
          {version.current || !mayManage ? null : (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Roll back to version ${version.version}`}
              onClick={() => onWant(version)}
            >
              Roll back
            </Button>
          )}
        </Button.Group>
      ),
    },
  ]
}

interface RollBackAgentProps {
  readonly agent: WholeAgent
  readonly version: AgentVersion
  readonly onClose: () => void
}

/** Restores an old version of an agent as a new version, so no version is lost. */
function RollBackAgent({ agent, version, onClose }: RollBackAgentProps) {
  const cache = useQueryClient()
  return (
    <ConfirmDialog
      title={`Roll “${agent.label}” back to version ${version.version}?`}
      confirmLabel="Roll back"
      failureSentence="The agent was not changed."
      send={({ client }) =>
        bodyOf(
          client.POST('/ai-orchestra/api/agents/{id}/rollback', {
            params: { path: { id: agent.id } },
            body: { version: version.revision, expected_version: agent.current_revision },
          }),
        )
      }
      onDone={async () => {
        await cache.invalidateQueries({ queryKey: ['agents'] })
        await notify({ title: `“${agent.label}” is rolled back to version ${version.version}` })
      }}
      onClose={onClose}
    >
      This creates a new version, which steps use unless they pin another one. You can roll back again at any
      time.
    </ConfirmDialog>
  )
}
