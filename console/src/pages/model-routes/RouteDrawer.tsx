import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { bodyOf, done } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { refetchAfterDelete } from '../../api/queries.ts'
import { useMay } from '../../api/use-may.ts'
import { ConfirmedAction } from '../../parts/ConfirmedAction.tsx'
import { Copyable } from '../../parts/Copyable.tsx'
import { DetailBox } from '../../parts/DetailBox.tsx'
import type { Detail } from '../../parts/DetailList.tsx'
import { DrawerSection } from '../../parts/DrawerSection.tsx'
import { Form } from '../../parts/Form.tsx'
import { SideDrawer } from '../../parts/SideDrawer.tsx'
import { Status } from '../../parts/Status.tsx'
import { findRow } from '../../parts/use-row-focus.ts'
import { useSubmission } from '../../parts/use-submission.ts'
import { notify } from '../../shell/notify.ts'
import { ExplainRoute } from './ExplainRoute.tsx'
import styles from './RouteDrawer.module.css'
import { RouteFields, routeFields } from './RouteFields.tsx'
import { RouteVersions } from './RouteVersions.tsx'
import { definitionOf, draftOf } from './route-draft.ts'
import { type ModelRoute, routeQuery, type SavedRoute, useShowRoute } from './route-queries.ts'
import { asSentence, describeRetries, describeStrategy, strategies } from './route-words.ts'
import { UpdatedBy } from './UpdatedBy.tsx'

interface RouteDrawerProps {
  /** The route name in the URL. */
  readonly name: string
  readonly route: ModelRoute | undefined
  readonly onClose: () => void
}

/** One route: its definition, versions, and how it chooses. */
export default function RouteDrawer({ name, route, onClose }: RouteDrawerProps) {
  const mayChange = useMay('administer llm')
  const [covered, setCovered] = useState(false)
  // The form starts again from a version that is activated: `route` may still be rendered with the previous one.
  const [activations, setActivations] = useState<{ count: number; last?: ModelRoute }>({ count: 0 })
  return (
    <SideDrawer
      title={name}
      onClose={onClose}
      returnTo={() => findRow(name)}
      covered={covered}
      holdsInput={mayChange}
    >
      {route === undefined ? (
        <p>No route is named {name}.</p>
      ) : (
        <>
          <DrawerSection
            title="State"
            about={route.description}
            ways={
              <Link to="/playground" search={{ model: name }}>
                Try in the playground
              </Link>
            }
          >
            <DetailBox details={detailsOf(route, mayChange)} />
            <Warnings name={name} />
          </DrawerSection>
          <ExplainRoute key={`explain ${route.version}`} name={name} />
          {mayChange ? (
            <DrawerSection title="Definition" about="A change is a new version, which applies to new calls.">
              <ChangeRoute key={activations.count} route={activations.last ?? route} />
            </DrawerSection>
          ) : null}
          <RouteVersions
            name={name}
            active={route.version}
            mayChange={mayChange}
            onActivated={(last) => setActivations(({ count }) => ({ count: count + 1, last }))}
          />
          {mayChange ? (
            <DrawerSection
              title="Delete"
              about="Deletes the route with all its versions."
              ways={<RemoveRoute name={name} onCovered={setCovered} onRemoved={onClose} />}
            />
          ) : null}
        </>
      )}
    </SideDrawer>
  )
}

function detailsOf(route: ModelRoute, mayChange: boolean): Detail[] {
  const { name, version, strategy, targets, retries, updated_at, updated_by } = route
  return [
    { name: 'Model name', value: <Copyable text={name} what="model name" /> },
    { name: 'Version', value: version.toLocaleString() },
    { name: 'Updated', value: <UpdatedBy at={updated_at} account={updated_by} /> },
    // The form shows the definition to accounts that may change it.
    ...(mayChange
      ? []
      : [
          {
            name: 'Strategy',
            value: (
              <span title={strategies.find((it) => it.name === strategy)?.about}>
                {describeStrategy(strategy)}
              </span>
            ),
          },
          {
            name: 'Targets',
            value: (
              <ol className={styles['targets']}>
                {targets.map(({ model, weight = 1 }, index) => (
                  <li key={`${index + 1} ${model}`}>
                    <code>{model}</code>
                    {strategy === 'weighted' ? `, weight ${weight}` : null}
                  </li>
                ))}
              </ol>
            ),
          },
          { name: 'Retries', value: describeRetries(retries) },
        ]),
  ]
}

/** The targets that no provider offers now. */
function Warnings({ name }: { name: string }) {
  const { data } = useQuery(routeQuery(useApi(), name))
  const warnings = data?.warnings ?? []
  return (
    <div role="status">
      {warnings.length === 0 ? null : (
        <div className={styles['warnings']}>
          <Status tone="warn" word={`${countOf(warnings)} ignored for now`} />
          <ul>
            {warnings.map(({ path, message }) => (
              <li key={path}>{asSentence(message)}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}

function countOf({ length }: SavedRoute['warnings']): string {
  return length === 1 ? '1 target' : `${length} targets`
}

function ChangeRoute({ route }: { route: ModelRoute }) {
  const show = useShowRoute()
  const [draft, setDraft] = useState(() => draftOf(route))
  const submission = useSubmission({
    fields: routeFields,
    send: ({ client }) =>
      bodyOf(
        client.PUT('/api/v1/model-routes/{name}', {
          params: { path: { name: route.name } },
          body: definitionOf(draft),
        }),
      ),
    async onDone(saved) {
      await show(saved)
      await notify({
        title: `${saved.name}: version ${saved.version} saved`,
        message:
          saved.warnings.length === 0
            ? 'Applies to new calls.'
            : `${countOf(saved.warnings)} ignored until a provider offers the model.`,
      })
    },
  })
  return (
    <Form submission={submission} submitLabel="Save version" failureSentence="The route was not changed.">
      <RouteFields draft={draft} onChange={setDraft} problemOf={submission.problemOf} isNew={false} />
    </Form>
  )
}

interface RemoveRouteProps {
  readonly name: string
  /** Called when a confirmation dialog opens in front of the drawer, and when it closes. */
  readonly onCovered: (covered: boolean) => void
  readonly onRemoved: () => void
}

function RemoveRoute({ name, onCovered, onRemoved }: RemoveRouteProps) {
  const cache = useQueryClient()
  return (
    <ConfirmedAction
      label="Delete route…"
      onCovered={onCovered}
      title={`Delete the route ${name}?`}
      confirmLabel="Delete route"
      failureSentence="The route was not deleted."
      send={({ client }) =>
        done(client.DELETE('/api/v1/model-routes/{name}', { params: { path: { name } } }))
      }
      onDone={async () => {
        await refetchAfterDelete(cache, {
          lists: { queryKey: ['model-routes'], exact: true },
          deleted: ['model-routes', name],
        })
        onRemoved()
      }}
    >
      <p>
        Calls of {name} fail, unless a model has the same ID. Its versions cannot be restored. Running calls
        finish.
      </p>
    </ConfirmedAction>
  )
}
