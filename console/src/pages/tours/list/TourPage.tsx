import '../../../theme/mantine-form.css'
import { Button, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { refetchAfterDelete } from '../../../api/queries.ts'
import { useApiQuery } from '../../../api/use-api-query.ts'
import { ConfirmDialog } from '../../../parts/ConfirmDialog.tsx'
import { Copyable } from '../../../parts/Copyable.tsx'
import { DangerButton } from '../../../parts/DangerButton.tsx'
import { DetailList } from '../../../parts/DetailList.tsx'
import { Form } from '../../../parts/Form.tsx'
import { languageName } from '../../../parts/language-name.ts'
import { Page } from '../../../parts/Page.tsx'
import { Section } from '../../../parts/Section.tsx'
import { SideDrawer } from '../../../parts/SideDrawer.tsx'
import { Status } from '../../../parts/Status.tsx'
import { useSubmission } from '../../../parts/use-submission.ts'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import { SiteSelect } from '../sites/SiteSelect.tsx'
import { sitesQuery } from '../sites/site-calls.ts'
import { TargetingDrawer } from '../targeting/TargetingDrawer.tsx'
import { describeTargeting } from '../targeting/targeting-words.ts'
import { PublishButton } from './PublishButton.tsx'
import { StepTable } from './StepTable.tsx'
import styles from './TourPage.module.css'
import { TourTranslations } from './TourTranslations.tsx'
import { TourTrouble } from './TourTrouble.tsx'
import { changeTour, deleteTour, type Tour, tourQuery, toursPath } from './tour-calls.ts'
import { countOf, launchWords } from './tour-words.ts'
import { useMay } from './use-may.ts'

const route = getRouteApi('/admin/structure/recipe-onboarding/tours/$tour')

/** One tour: its details, its steps, and its actions. */
export function TourPage() {
  const { tour: id } = route.useParams()
  const navigate = route.useNavigate()
  const cache = useQueryClient()
  const may = useMay()
  const [isEditing, setEditing] = useState(false)
  const [isTargeting, setTargeting] = useState(false)
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
            await refetchAfterDelete(cache, {
              lists: { queryKey: ['tours', 'list'] },
              deleted: ['tours', 'one', id],
            })
          }}
        />
      }
    >
      <Section title="About">
        <TourDetails
          tour={tour}
          onEdit={may.edit ? () => setEditing(true) : undefined}
          onTarget={may.edit ? () => setTargeting(true) : undefined}
        />
      </Section>
      <Section title="Steps" note={countOf(tour.tips.length, 'step')}>
        <StepTable tour={tour} mayEdit={may.edit} />
      </Section>
      <TourTranslations
        tour={tour}
        mayEdit={may.edit}
        onChanged={() => cache.invalidateQueries({ queryKey: ['tours'] })}
      />
      {isEditing ? (
        <EditTour
          tour={tour}
          onClose={() => setEditing(false)}
          onChanged={() => cache.invalidateQueries({ queryKey: ['tours'] })}
        />
      ) : null}
      {isTargeting ? (
        <TargetingDrawer
          tour={tour}
          onClose={() => setTargeting(false)}
          onChanged={() => cache.invalidateQueries({ queryKey: ['tours'] })}
        />
      ) : null}
    </Page>
  )
}

/** Changes the site and the language of a tour. */
function EditTour({
  tour,
  onClose,
  onChanged,
}: {
  tour: Tour
  onClose: () => void
  onChanged: () => Promise<void>
}) {
  const [site, setSite] = useState(tour.site_id)
  const [langcode, setLangcode] = useState(tour.langcode)
  const submission = useSubmission({
    fields: ['site_id', 'langcode'],
    send: (api) =>
      changeTour(api, tour.id, { site_id: site, langcode: langcode.trim(), revision: tour.revision }),
    onDone: async () => {
      await onChanged()
      onClose()
    },
  })
  return (
    <SideDrawer title="Edit site and language" onClose={onClose} holdsInput>
      <Form
        submission={submission}
        submitLabel="Save"
        failureSentence="The tour was not changed."
        onCancel={onClose}
      >
        <SiteSelect
          label="Site"
          description="Its pages show the tour."
          value={site}
          onChange={setSite}
          error={submission.problemOf('site_id')}
        />
        <TextInput
          label="Language"
          description="The language of the texts, such as en, pt-br or zh-hans. Recipes contain it."
          autoCapitalize="none"
          autoComplete="off"
          value={langcode}
          onChange={({ currentTarget: { value } }) => setLangcode(value)}
          error={submission.problemOf('langcode')}
        />
      </Form>
    </SideDrawer>
  )
}

interface TourDetailsProps {
  readonly tour: Tour
  /** Undefined without the permission to edit. */
  readonly onEdit: (() => void) | undefined
  readonly onTarget: (() => void) | undefined
}

function TourDetails({ tour, onEdit, onTarget }: TourDetailsProps) {
  const sites = useQuery(sitesQuery(useApi())).data
  const {
    id,
    status,
    launch,
    langcode,
    site_id,
    routes,
    recipe_id,
    revision,
    created_at,
    updated_at,
    updated_by_name,
  } = tour
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
        {
          name: 'Site',
          value: (
            <span className={styles['routes']}>
              {sites?.find((site) => site.id === site_id)?.label ?? site_id}, language{' '}
              {languageName(langcode)}
              {onEdit === undefined ? null : (
                <Button size="compact-xs" variant="default" onClick={onEdit}>
                  Edit site and language
                </Button>
              )}
            </span>
          ),
        },
        { name: 'Starts', value: launchWords[launch] },
        {
          name: 'Targeting',
          value: (
            <span className={styles['routes']}>
              {describeTargeting(tour.targeting).join('; ')}
              {onTarget === undefined ? null : (
                <Button size="compact-xs" variant="default" onClick={onTarget}>
                  Edit targeting
                </Button>
              )}
            </span>
          ),
        },
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
        <Button size="compact-sm" component="a" href={`${address}/builder`}>
          Open builder
        </Button>
      ) : null}
      <Button size="compact-sm" variant="default" component="a" href={`${address}/preview`}>
        Preview
      </Button>
      {may.seeAnalytics ? (
        <Button
          size="compact-sm"
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
          size="compact-sm"
          variant="default"
          renderRoot={(props) => (
            <Link to="/admin/structure/recipe-onboarding/tours/$tour/export" params={params} {...props} />
          )}
        >
          Export
        </Button>
      ) : null}
      <Button
        size="compact-sm"
        variant="default"
        renderRoot={(props) => (
          <Link to="/admin/structure/recipe-onboarding/tours/$tour/versions" params={params} {...props} />
        )}
      >
        Versions
      </Button>
      {may.edit ? <PublishButton tour={tour} size="page" onChanged={onChanged} /> : null}
      {may.delete ? (
        <DangerButton kind="ask" isSmall onClick={() => setAsking(true)}>
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
