import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
import { ConfirmDialog } from '../../../parts/ConfirmDialog.tsx'
import { DrawerSection } from '../../../parts/DrawerSection.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Page } from '../../../parts/Page.tsx'
import { Pager } from '../../../parts/Pager.tsx'
import { Surface } from '../../../parts/Section.tsx'
import { SideDrawer } from '../../../parts/SideDrawer.tsx'
import { Status } from '../../../parts/Status.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { notify } from '../../../shell/notify.ts'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import { TourTrouble } from '../list/TourTrouble.tsx'
import { countOf, wordsOf } from '../list/tour-words.ts'
import { useMay } from '../list/use-may.ts'
import styles from './VersionsPage.module.css'
import { diffQuery, rollBack, type TourDiff, type TourVersion, versionsQuery } from './version-calls.ts'

const route = getRouteApi('/admin/structure/recipe-onboarding/tours/$tour/versions')

/** The versions of a tour, with their changes and a restore action. */
export function VersionsPage() {
  const { tour } = route.useParams()
  const [page, setPage] = useState(1)
  const [compared, setCompared] = useState<number>()
  const [wanted, setWanted] = useState<TourVersion>()
  const may = useMay()
  const { data, failure, refetch } = useApiQuery(versionsQuery(useApi(), tour, page))
  if (data === undefined && failure !== null) {
    return (
      <Page title="Versions">
        <TourTrouble id={tour} failure={failure} needs="edit recipe tours" onRetry={() => void refetch()} />
      </Page>
    )
  }
  return (
    <Page
      title="Versions"
      aside={
        <Button
          size="compact-sm"
          variant="default"
          renderRoot={(props) => (
            <Link to="/admin/structure/recipe-onboarding/tours/$tour" params={{ tour }} {...props} />
          )}
        >
          Back to the tour
        </Button>
      }
    >
      <p className={styles['note']}>
        The last 50 saved versions are kept, and the last 50 that were created, published, unpublished or
        restored.
      </p>
      <Surface>
        <Table
          label="Versions"
          columns={columnsFor({ mayEdit: may.edit, onCompare: setCompared, onWant: setWanted })}
          rows={data?.versions}
          total={data?.total}
          rowKey={({ version }) => version}
        />
      </Surface>
      <Pager page={page} total={data?.total} onPage={setPage} />
      {compared === undefined ? null : (
        <VersionDiff tour={tour} version={compared} onClose={() => setCompared(undefined)} />
      )}
      {wanted === undefined ? null : (
        <Restore tour={tour} version={wanted} onClose={() => setWanted(undefined)} />
      )}
    </Page>
  )
}

const kindWords: Readonly<Record<TourVersion['kind'], string>> = {
  created: 'Created',
  saved: 'Saved',
  published: 'Published',
  unpublished: 'Unpublished',
  restored: 'Restored',
}

interface Ways {
  readonly mayEdit: boolean
  readonly onCompare: (version: number) => void
  readonly onWant: (version: TourVersion) => void
}

function columnsFor({ mayEdit, onCompare, onWant }: Ways): ReadonlyArray<Column<TourVersion>> {
  return [
    {
      title: 'Version',
      value: ({ version }) => version,
      cell: ({ version, current }) =>
        current ? <Status tone="good" word={`${version}, current`} /> : version,
    },
    { title: 'Change', value: ({ kind }) => kind, cell: ({ kind }) => kindWords[kind] },
    { title: 'Name', value: ({ label }) => label, minWidth: 160, cell: ({ label }) => label },
    {
      title: 'Steps',
      value: ({ steps }) => steps,
      numeric: true,
      minor: true,
      cell: ({ steps }) => countOf(steps, 'step'),
    },
    {
      title: 'Saved',
      value: ({ saved_at: at }) => at,
      numeric: true,
      cell: ({ saved_at: at, saved_by_name: by }) => (
        <span>
          <RelativeTime at={at} />
          {by === null ? '' : ` by ${by}`}
        </span>
      ),
    },
    {
      title: 'Actions',
      quiet: true,
      numeric: true,
      cell: (version) => (
        <Button.Group className={styles['actions'] ?? ''}>
          {version.version === 1 ? null : (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Changes in version ${version.version}`}
              onClick={() => onCompare(version.version)}
            >
              Changes
            </Button>
          )}
          {version.current || !mayEdit ? null : (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={`Restore version ${version.version}`}
              onClick={() => onWant(version)}
            >
              Restore
            </Button>
          )}
        </Button.Group>
      ),
    },
  ]
}

interface RestoreProps {
  readonly tour: string
  readonly version: TourVersion
  readonly onClose: () => void
}

/** Restores a version as a new one, so no version is lost. */
function Restore({ tour, version, onClose }: RestoreProps) {
  const cache = useQueryClient()
  return (
    <ConfirmDialog
      title={`Restore version ${version.version}?`}
      confirmLabel="Restore"
      failureSentence="The tour was not changed."
      send={(api) => rollBack(api, tour, version.version)}
      onDone={async () => {
        await cache.invalidateQueries({ queryKey: ['tours'] })
        void notify({ title: `Version ${version.version} was restored.` })
        onClose()
      }}
      onClose={onClose}
    >
      <p>
        The tour gets the name, pages, steps and targeting of this version, as a new version. It stays
        published or a draft, and it keeps its site and recipe.
      </p>
    </ConfirmDialog>
  )
}

interface VersionDiffProps {
  readonly tour: string
  readonly version: number
  readonly onClose: () => void
}

/** What changed in a version since the one before it. */
function VersionDiff({ tour, version, onClose }: VersionDiffProps) {
  const { data, failure, refetch } = useApiQuery(diffQuery(useApi(), tour, { to: version }))
  return (
    <SideDrawer title={`Changes in version ${version}`} onClose={onClose}>
      {failure === null ? null : (
        <FailureNotice
          what="The changes could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      )}
      {data === undefined ? null : <Changes diff={data} />}
    </SideDrawer>
  )
}

function Changes({ diff }: { diff: TourDiff }) {
  const { tour, steps, summary, equal, from } = diff
  const fields = [
    ...tour.map((change) => ({ ...change, of: 'Tour' })),
    ...steps.changed.flatMap(({ label, changes }) => changes.map((change) => ({ ...change, of: label }))),
  ]
  if (equal) return <p>Equal to version {from}.</p>
  return (
    <>
      <DrawerSection title={`Since version ${from}`}>
        <ul className={styles['summary']}>
          {summary.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </DrawerSection>
      {fields.map(({ of, field, old_value, new_value }) => (
        <DrawerSection key={`${of} ${field}`} title={`${of}: ${field}`}>
          <del className={styles['before']}>{showValue(old_value)}</del>
          <ins className={styles['after']}>{showValue(new_value)}</ins>
        </DrawerSection>
      ))}
    </>
  )
}

function showValue(value: unknown): string {
  if (value === null || value === '') return '–'
  if (typeof value === 'string') return value.startsWith('<') ? wordsOf(value) : value
  return JSON.stringify(value, null, 1)
}
