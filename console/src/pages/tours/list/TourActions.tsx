import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ConfirmDialog } from '../../../parts/ConfirmDialog.tsx'
import { DangerButton } from '../../../parts/DangerButton.tsx'
import { PublishButton } from './PublishButton.tsx'
import { deleteTour, type Tour, toursPath } from './tour-calls.ts'
import { useMay } from './use-may.ts'

interface TourActionsProps {
  readonly tour: Tour
  readonly onChanged: () => Promise<void>
  readonly onDeleted: () => Promise<void>
}

/** The ways from a tour. The builder and the preview frame other pages, which only a page loaded for it may. */
export function TourActions({ tour, onChanged, onDeleted }: TourActionsProps) {
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
            Its steps and everything that was counted about it go with it. This cannot be undone.
          </p>
        </ConfirmDialog>
      ) : null}
    </>
  )
}
