import { Button } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useMay } from '../../api/use-may.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { Surface } from '../../parts/Section.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import type { AgentVersion, WholeAgent } from '../agents/agent-bodies.ts'
import { agentVersionsQuery } from '../agents/agent-queries.ts'
import { RollBackAgent } from './RollBackAgent.tsx'

interface AgentVersionsProps {
  readonly agent: WholeAgent
  readonly onShow: (version: number) => void
}

/** Every version anybody saved, and the way back to it. */
export function AgentVersions({ agent, onShow }: AgentVersionsProps) {
  const [page, setPage] = useState(1)
  const [wanted, setWanted] = useState<AgentVersion>()
  const mayManage = useMay('manage workflows') && !agent.built_in
  const { data, failure, refetch } = useAnswer(agentVersionsQuery(useApi(), { id: agent.id, page }))
  if (data === undefined && failure !== null)
    return (
      <FailureNotice what="The versions could not be read." error={failure} onRetry={() => void refetch()} />
    )
  return (
    <>
      <Surface>
        <Table
          label="Versions"
          columns={columnsFor({ shown: agent.revision, mayManage, onShow, onWant: setWanted })}
          rows={data?.versions}
          rowKey={({ revision }) => revision}
        />
      </Surface>
      <Pager page={page} total={data?.total} onPage={setPage} />
      {wanted === undefined ? null : (
        <RollBackAgent agent={agent} version={wanted} onClose={() => setWanted(undefined)} />
      )}
    </>
  )
}

interface Ways {
  /** The version that is looked at. */
  readonly shown: number
  readonly mayManage: boolean
  readonly onShow: (version: number) => void
  readonly onWant: (version: AgentVersion) => void
}

function columnsFor({ shown, mayManage, onShow, onWant }: Ways): ReadonlyArray<Column<AgentVersion>> {
  return [
    {
      title: 'Version',
      cell: ({ version, current }) =>
        current ? <Status tone="good" word={`${version}, current`} /> : version,
    },
    { title: 'What changed', room: 160, cell: ({ note }) => note ?? '–' },
    {
      title: 'Saved',
      numeric: true,
      cell: ({ saved_at: at }) => <RelativeTime at={new Date(at * 1000).toISOString()} />,
    },
    {
      title: 'Ways',
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
