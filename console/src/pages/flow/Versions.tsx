import { Button } from '@mantine/core'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { useMay } from '../../api/use-may.ts'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import type { FlowVersion, WholeFlow } from '../flows/flow-bodies.ts'
import { versionsQuery } from '../flows/flow-queries.ts'
import { RollBack } from './RollBack.tsx'
import { VersionDiff } from './VersionDiff.tsx'

interface VersionsProps {
  readonly flow: WholeFlow
  readonly onShow: (version: number) => void
}

/** Every version anybody saved: what changed, and the way back. */
export function Versions({ flow, onShow }: VersionsProps) {
  const [page, setPage] = useState(1)
  const [compared, setCompared] = useState<number>()
  const [wanted, setWanted] = useState<FlowVersion>()
  const mayManage = useMay('manage workflows') && !flow.built_in
  const { data, failure, refetch } = useAnswer(versionsQuery(useApi(), { id: flow.id, page }))
  if (data === undefined && failure !== null)
    return (
      <FailureNotice what="The versions could not be read." error={failure} onRetry={() => void refetch()} />
    )

  return (
    <>
      <Table
        label="Versions"
        columns={columnsFor({ mayManage, onShow, onCompare: setCompared, onWant: setWanted })}
        rows={data?.versions}
        rowKey={({ revision }) => revision}
      />
      <Pager page={page} total={data?.total} onPage={setPage} />
      {compared === undefined ? null : (
        <VersionDiff id={flow.id} from={compared - 1} to={compared} onClose={() => setCompared(undefined)} />
      )}
      {wanted === undefined ? null : (
        <RollBack flow={flow} version={wanted} onClose={() => setWanted(undefined)} />
      )}
    </>
  )
}

interface Ways {
  readonly mayManage: boolean
  readonly onShow: (version: number) => void
  readonly onCompare: (version: number) => void
  readonly onWant: (version: FlowVersion) => void
}

function columnsFor({ mayManage, onShow, onCompare, onWant }: Ways): ReadonlyArray<Column<FlowVersion>> {
  return [
    {
      title: 'Version',
      cell: ({ revision, version, current }) =>
        current ? (
          <Status tone="good" word={`${version} (revision ${revision}), current`} />
        ) : (
          `${version} (revision ${revision})`
        ),
    },
    { title: 'What changed', room: 160, cell: ({ note }) => note ?? '–' },
    { title: 'Steps', numeric: true, minor: true, cell: ({ steps }) => steps },
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
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Show revision ${version.revision}`}
            onClick={() => onShow(version.revision)}
          >
            Show
          </Button>
          {version.revision === 1 ? null : (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`What changed in revision ${version.revision}`}
              onClick={() => onCompare(version.revision)}
            >
              What changed
            </Button>
          )}
          {version.current || !mayManage ? null : (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Roll back to revision ${version.revision}`}
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
