import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { FailureNotice } from '../../parts/FailureNotice.tsx'
import { Pager } from '../../parts/Pager.tsx'
import { Skeleton } from '../../parts/Skeleton.tsx'
import { Status } from '../../parts/Status.tsx'
import { useFocusRequest } from '../../parts/use-focus-request.ts'
import { notify } from '../../shell/notify.ts'
import styles from './RouteVersions.module.css'
import { type RouteVersion, routeVersionsQuery, type SavedRoute, useShowRoute } from './route-queries.ts'
import { describeDefinition } from './route-words.ts'
import { UpdatedBy } from './UpdatedBy.tsx'

interface RouteVersionsProps {
  readonly name: string
  readonly active: number
  readonly mayChange: boolean
  readonly onActivated: (activated: SavedRoute) => void
}

/** The versions of a route, any of which can be activated. */
export function RouteVersions({ name, active, mayChange, onActivated }: RouteVersionsProps) {
  const api = useApi()
  const show = useShowRoute()
  const [page, setPage] = useState(1)
  const { data, failure, refetch } = useApiQuery(routeVersionsQuery(api, { name, page }))
  const root = useRef<HTMLDivElement>(null)
  const requestFocus = useFocusRequest(root)
  const { mutate, isPending } = useMutation({
    mutationFn: (version: number) =>
      bodyOf(
        api.client.POST('/api/v1/model-routes/{name}/activate', {
          params: { path: { name } },
          body: { version },
        }),
      ),
    async onSuccess(activated) {
      await show(activated)
      // The button of the activated version disappears, and must not take the focus with it.
      requestFocus(`[data-version="${activated.version}"]`)
      onActivated(activated)
      await notify({
        title: `${name}: version ${activated.version} is active`,
        message: 'Applies to new calls.',
      })
    },
    onError: (error) => notify({ title: 'The version was not activated', error }),
  })
  return (
    <DrawerSection title="Versions">
      {data === undefined && failure !== null ? (
        <FailureNotice
          what="The versions could not be loaded."
          error={failure}
          onRetry={() => void refetch()}
        />
      ) : (
        <div ref={root} aria-busy={data === undefined}>
          {data === undefined ? (
            <Skeleton width={240} />
          ) : (
            <ul className={styles['versions']} aria-label="Versions">
              {data.data.map((version) => (
                <Version
                  key={version.version}
                  version={version}
                  isActive={version.version === active}
                  onActivate={
                    mayChange
                      ? () => {
                          if (!isPending) mutate(version.version)
                        }
                      : undefined
                  }
                />
              ))}
            </ul>
          )}
        </div>
      )}
      <Pager order="newest first" page={page} total={data?.total} onPage={setPage} />
    </DrawerSection>
  )
}

interface VersionProps {
  readonly version: RouteVersion
  readonly isActive: boolean
  /** Undefined without the permission. */
  readonly onActivate: (() => void) | undefined
}

function Version({ version: shown, isActive, onActivate }: VersionProps) {
  const { version, created_at, created_by, ...definition } = shown
  return (
    <li data-version={version} tabIndex={-1}>
      <div className={styles['head']}>
        <strong>Version {version}</strong>
        {isActive ? (
          <Status tone="good" word="Active" />
        ) : onActivate === undefined ? null : (
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`Activate version ${version}`}
            onClick={onActivate}
          >
            Activate
          </Button>
        )}
      </div>
      <p>{describeDefinition(definition)}</p>
      <p className={styles['about']}>
        <UpdatedBy at={created_at} account={created_by} />
      </p>
    </li>
  )
}
