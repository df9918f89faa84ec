import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
import { ConfirmDialog } from '../../../parts/ConfirmDialog.tsx'
import { Copyable } from '../../../parts/Copyable.tsx'
import { DangerButton } from '../../../parts/DangerButton.tsx'
import { DetailList } from '../../../parts/DetailList.tsx'
import { Page } from '../../../parts/Page.tsx'
import { Section } from '../../../parts/Section.tsx'
import { Status } from '../../../parts/Status.tsx'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import { PublishButton } from './PublishButton.tsx'
import { StepTable } from './StepTable.tsx'
import styles from './TourPage.module.css'
import { TourTrouble } from './TourTrouble.tsx'
import { deleteTour, type Tour, tourQuery, toursPath } from './tour-calls.ts'
import { countOf, launchWords } from './tour-words.ts'
import { useMay } from './use-may.ts'

const route = getRouteApi('/admin/structure/recipe-onboarding/tours/$tour')

/** One tour: its details, its steps, and its actions. */
export function TourPage() {
  const { tour: id } = route.useParams()
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const { data: tour, failure, refetch } = useApiQuery(tourQuery(useApi(), id))
  if (tour === undefined) {
    return (
      <Page title="Tour">
        <TourTrouble id={id} failure={failure} needs="edit recipe tours" onRetry={() => void refetch()} />
      </Page>
    )
  }
  return (
    <Page
      title={tour.label}
      aside={
        <TourActions
          tour={tour}
          onChanged={() => cache.invalidateQueries({ queryKey: ['tours'] })}
          onDeleted={async () => {
            await navigate({ to: '/admin/structure/recipe-onboarding/tours' })
            cache.removeQueries({ queryKey: ['tours', 'one', id] })
            await cache.invalidateQueries({ queryKey: ['tours', 'list'] })
          }}
        />
      }
    >
      <Section title="About">
        <TourDetails tour={tour} />
      </Section>
      <Section title="Steps" note={countOf(tour.tips.length, 'step')}>
        <StepTable tour={tour} />
      </Section>
    </Page>
  )
}

function TourDetails({ tour }: { tour: Tour }) {
  const { id, status, launch, routes, recipe_id, revision, created_at, updated_at, updated_by_name } = tour
  return (
    <DetailList
      details={[
        { name: 'ID', value: <Copyable text={id} what="tour ID" /> },
        {
          name: 'State',
          value: status ? (
            <Status tone="good" word="Published" />
          ) : (
            <Status tone="idle" word="Draft" title="Visitors do not see it." />
          ),
        },
        {
          name: 'Pages',
          value:
            routes.length === 0 ? (
              'none: add one in the builder'
            ) : (
              <span className={styles['routes']}>
                {routes.map(({ route_name }) => (
                  <code key={route_name}>{route_name}</code>
                ))}
              </span>
            ),
        },
        { name: 'Starts', value: launchWords[launch] },
        { name: 'Recipe', value: recipe_id === null ? 'None' : <code>{recipe_id}</code> },
        {
          name: 'Changed',
          value: (
            <span>
              <RelativeTime at={updated_at} />
              {updated_by_name === null ? '' : ` by ${updated_by_name}`}, revision {revision}
            </span>
          ),
        },
        { name: 'Created', value: <RelativeTime at={created_at} /> },
      ]}
    />
  )
}

interface TourActionsProps {
  readonly tour: Tour
  readonly onChanged: () => Promise<void>
  readonly onDeleted: () => Promise<void>
}

/** The actions of a tour. Builder and preview frame other pages, which only a document loaded with its own policy may do. */
function TourActions({ tour, onChanged, onDeleted }: TourActionsProps) {
  const may = useMay()
  const [isAsking, setAsking] = useState(false)
  const address = `${toursPath}/${encodeURIComponent(tour.id)}`
  const params = { tour: tour.id }
  return (
    <>
      {may.edit ? (
        <Button size="sm" component="a" href={`${address}/builder`}>
          Open builder
        </Button>
      ) : null}
      <Button size="sm" variant="default" component="a" href={`${address}/preview`}>
        Preview
      </Button>
      {may.seeAnalytics ? (
        <Button
          size="sm"
          variant="default"
          renderRoot={(props) => (
            <Link to="/admin/structure/recipe-onboarding/tours/$tour/analytics" params={params} {...props} />
          )}
        >
          Analytics
        </Button>
      ) : null}
      {may.export ? (
        <Button
          size="sm"
          variant="default"
          renderRoot={(props) => (
            <Link to="/admin/structure/recipe-onboarding/tours/$tour/export" params={params} {...props} />
          )}
        >
          Export
        </Button>
      ) : null}
      {may.edit ? <PublishButton tour={tour} size="page" onChanged={onChanged} /> : null}
      {may.delete ? (
        <DangerButton kind="ask" onClick={() => setAsking(true)}>
          Delete…
        </DangerButton>
      ) : null}
      {isAsking ? (
        <ConfirmDialog
          title={`Delete the tour “${tour.label}”?`}
          confirmLabel="Delete tour"
          failureSentence="The tour was not deleted."
          send={(api) => deleteTour(api, tour.id)}
          onDone={onDeleted}
          onClose={() => setAsking(false)}
        >
          <p>
            {tour.status ? 'Visitors no longer see it. ' : ''}
            Its steps and statistics are deleted too. This cannot be undone.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}
