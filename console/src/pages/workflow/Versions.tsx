import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { useMay } from '../../api/use-may.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { Status } from '../../parts/Status.tsx'
import { type Column, Table } from '../../parts/Table.tsx'
import { notify } from '../../shell/notify.ts'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import {
  diffQuery,
  type FlowDiff,
  type FlowVersion,
  versionsQuery,
  type WholeFlow,
} from '../workflows/flow-queries.ts'
import styles from './Versions.module.css'

interface VersionsProps {
  readonly flow: WholeFlow
  readonly onShow: (version: number) => void
}

/** All saved versions of a flow, with their changes and a restore action. */
export function Versions({ flow, onShow }: VersionsProps) {
  const [page, setPage] = useState(1)
  const [compared, setCompared] = useState<number>()
  const [wanted, setWanted] = useState<FlowVersion>()
  const mayManage = useMay('manage workflows') && !flow.built_in
  const { data, failure, refetch } = useApiQuery(versionsQuery(useApi(), { id: flow.id, page }))
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
      <Table
        label="Versions"
        columns={columnsFor({ mayManage, onShow, onCompare: setCompared, onWant: setWanted })}
        rows={data?.versions}
        total={data?.total}
        rowKey={({ revision }) => revision}
      />
      <Pager order="newest first" page={page} total={data?.total} onPage={setPage} />
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
      value: ({ revision }) => revision,
      cell: (version) =>
        version.current ? <Status tone="good" word={`${nameOf(version)}, current`} /> : nameOf(version),
    },
    { title: 'Changes', value: ({ note }) => note, minWidth: 160, cell: ({ note }) => note ?? '–' },
    { title: 'Steps', value: ({ steps }) => steps, numeric: true, minor: true, cell: ({ steps }) => steps },
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
        <Button.Group className={styles['actions'] ?? ''}>
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
              aria-label={`Changes in revision ${version.revision}`}
              onClick={() => onCompare(version.revision)}
            >
              Changes
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

/** The number of a version, after the name that its author gave it. */
function nameOf({ revision, version }: FlowVersion): string {
  return version === String(revision) ? version : `${version} (revision ${revision})`
}

interface RollBackProps {
  readonly flow: WholeFlow
  readonly version: FlowVersion
  readonly onClose: () => void
}

/** Restores an old version of a flow as a new version, so no version is lost. */
function RollBack({ flow, version, onClose }: RollBackProps) {
  const cache = useQueryClient()
  return (
    <ConfirmDialog
      title={`Roll “${flow.label}” back to revision ${version.revision}?`}
      confirmLabel="Roll back"
      failureSentence="The workflow was not changed."
      send={({ client }) =>
        bodyOf(
          client.POST('/ai-workflows/api/flows/{id}/rollback', {
            params: { path: { id: flow.id } },
            body: { version: version.revision, expected_version: flow.current_revision },
          }),
        )
      }
      onDone={async () => {
        await cache.invalidateQueries({ queryKey: ['flows'] })
        await notify({ title: `“${flow.label}” is rolled back to revision ${version.revision}` })
      }}
      onClose={onClose}
    >
      This creates a new version. Running executions keep theirs, and you can roll back again at any time.
    </ConfirmDialog>
  )
}

interface VersionDiffProps {
  readonly id: string
  readonly from: number
  readonly to: number
  readonly onClose: () => void
}

/** The differences between two versions: a summary, then field by field. */
function VersionDiff({ id, from, to, onClose }: VersionDiffProps) {
  const { data, failure, refetch } = useApiQuery(diffQuery(useApi(), { id, from, to }))
  return (
    <SideDrawer title={`Revision ${from} to ${to}`} onClose={onClose}>
      {failure === null || data !== undefined ? null : (
        <FailureNotice
          what="The revisions could not be compared."
          error={failure}
          onRetry={() => void refetch()}
        />
      )}
      {data === undefined ? null : (
        <>
          <DrawerSection title="Summary">
            {data.summary.length === 0 ? (
              <p>No differences.</p>
            ) : (
              <ul className={styles['summary']}>
                {data.summary.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            )}
          </DrawerSection>
          <Changes title="The workflow" changes={data.flow} />
          <Changes title="Metadata" changes={data.metadata} />
          {data.steps.changed.map(({ id: step, changes }) => (
            <Changes key={step} title={`Step ${step}`} changes={changes} />
          ))}
        </>
      )}
    </SideDrawer>
  )
}

function Changes({ title, changes }: { title: string; changes: FlowDiff['flow'] }) {
  if (changes.length === 0) return null
  return (
    <DrawerSection title={title}>
      <dl className={styles['changes']}>
        {changes.map(({ path, change, old_value: before, new_value: after }) =>
          path === 'layout' ? (
            // Canvas positions are summarised: as numbers they are unreadable.
            <div key={path}>
              <dt>
                Canvas layout <span>{change}</span>
              </dt>
            </div>
          ) : (
            <div key={path}>
              <dt>
                {path} <span>{change}</span>
              </dt>
              {change === 'added' ? null : <dd data-kind="before">− {textOf(before)}</dd>}
              {change === 'removed' ? null : <dd data-kind="after">+ {textOf(after)}</dd>}
            </div>
          ),
        )}
      </dl>
    </DrawerSection>
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
