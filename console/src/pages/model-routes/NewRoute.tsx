import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { ApiFailure } from '../../api/api-failure.ts'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { useSubmission } from '../../parts/use-submission.ts'
import { RouteFields, routeFields } from './RouteFields.tsx'
import { definitionOf, emptyDraft } from './route-draft.ts'
import { type ModelRoute, type SavedRoute, useShowRoute } from './route-queries.ts'

interface NewRouteProps {
  readonly routes: readonly ModelRoute[]
  readonly onClose: () => void
  readonly onCreated: (route: SavedRoute) => Promise<void> | void
}

/** The form of a new route. */
export default function NewRoute({ routes, onClose, onCreated }: NewRouteProps) {
  const show = useShowRoute()
  const [draft, setDraft] = useState(emptyDraft)
  const submission = useSubmission({
    fields: routeFields,
    send: async ({ client }) => {
      const name = draft.name.trim()
      checkName(name, routes)
      return await bodyOf(
        client.PUT('/api/v1/model-routes/{name}', {
          params: { path: { name } },
          body: definitionOf(draft),
        }),
      )
    },
    async onDone(route) {
      await show(route)
      await onCreated(route)
    },
  })
  return (
    <SideDrawer title="New route" onClose={onClose} holdsInput>
      <Form submission={submission} submitLabel="Create route" failureSentence="The route was not created.">
        <RouteFields draft={draft} onChange={setDraft} problemOf={submission.problemOf} isNew />
      </Form>
    </SideDrawer>
  )
}

/** Throws for the name of an existing route, which the request would replace by a new version. */
function checkName(name: string, routes: readonly ModelRoute[]): void {
  const isTaken = routes.some((route) => route.name === name)
  if (name !== '' && !isTaken) return
  const message = isTaken ? 'is the name of another route; open that route to change it' : 'is required'
  throw new ApiFailure({
    status: isTaken ? 409 : 400,
    code: isTaken ? 'conflict' : 'invalid_input',
    message: `The name ${message}.`,
    problems: [{ path: 'name', message }],
  })
}
