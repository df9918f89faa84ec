import { Button } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { bodyOf } from '../../../api/api.ts'
import { useApi } from '../../../api/api-context.ts'
import { refetchAfterDelete } from '../../../api/queries.ts'
import { ConfirmedAction } from '../../../parts/ConfirmedAction.tsx'
import { DetailList } from '../../../parts/DetailList.tsx'
import { DrawerSection } from '../../../parts/DrawerSection.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { Pager } from '../../../parts/Pager.tsx'
import { RowAction } from '../../../parts/RowAction.tsx'
import { SideDrawer } from '../../../parts/SideDrawer.tsx'
import { Status } from '../../../parts/Status.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { ValueView } from '../../../parts/ValueView.tsx'
import { notify } from '../../../shell/notify.ts'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import type { TriggerSecret } from './TriggerForm.tsx'
import styles from './TriggersTab.module.css'
import { bodyAsIs } from './trigger-draft.ts'
import { type Trigger, type TriggerDelivery, triggerDeliveriesQuery } from './trigger-queries.ts'
import { describeSource, nameOfTrigger, outcomeWords } from './trigger-words.ts'

interface TriggerDrawerProps {
  readonly trigger: Trigger
  readonly onChanged: () => Promise<void>
  readonly onSecret: (made: TriggerSecret) => void
  readonly onEdit: () => void
  readonly onClose: () => void
}

/** One trigger: its counts and deliveries, editing, enabling and deleting it, and a new URL. */
export default function TriggerDrawer(props: TriggerDrawerProps) {
  const { trigger, onChanged, onSecret, onEdit, onClose } = props
  const cache = useQueryClient()
  const [covered, setCovered] = useState(false)
  const { trigger_id: id, counts, delayed_until: delayedUntil, kind, last_error: error } = trigger
  const name = nameOfTrigger(trigger)
  return (
    <SideDrawer title={name} onClose={onClose} covered={covered}>
      <DetailList
        details={[
          { name: 'State', value: trigger.enabled ? 'Enabled' : 'Disabled' },
          { name: 'Source', value: describeSource(trigger) },
          { name: 'Version', value: trigger.flow_version ?? 'the current one' },
          { name: 'Started', value: counts.started.toLocaleString() },
          { name: 'Ignored', value: counts.ignored.toLocaleString() },
          { name: 'Refused', value: counts.refused.toLocaleString() },
          ...(delayedUntil === null
            ? []
            : [
                {
                  name: 'Delayed',
                  value: (
                    <>
                      {counts.delayed.toLocaleString()}, the next{' '}
                      <RelativeTime at={new Date(delayedUntil * 1000).toISOString()} />
                    </>
                  ),
                },
              ]),
          ...(error === null ? [] : [{ name: 'Last error', value: error.message }]),
        ]}
      />
      <TriggerActions trigger={trigger} onChanged={onChanged} onEdit={onEdit} />
      <ValueView
        title={<h3>Input</h3>}
        value={trigger.input}
        what="input of the trigger"
        fileName={`trigger-${id}`}
      />
      <Deliveries trigger={trigger} />
      {kind === 'webhook' ? (
        <DrawerSection
          title="URL"
          about="The URL was shown once. A new one replaces it at once."
          ways={
            <ConfirmedAction
              label="Replace the URL…"
              title={`Replace the URL of “${name}”?`}
              confirmLabel="Replace URL"
              failureSentence="The URL was not replaced."
              onCovered={setCovered}
              send={({ client }) =>
                bodyOf(
                  client.POST('/ai-workflows/api/triggers/{id}/rotate', {
                    params: { path: { id } },
                    body: { part: 'url' },
                  }),
                )
              }
              onDone={async ({ url }) => {
                await onChanged()
                onClose()
                onSecret({ name, url, secret: null })
              }}
            >
              Requests to the old URL are refused from then on.
            </ConfirmedAction>
          }
        />
      ) : null}
      <DrawerSection
        title="Delete"
        about="Runs that it started continue."
        ways={
          <ConfirmedAction
            label="Delete trigger…"
            title={`Delete “${name}”?`}
            confirmLabel="Delete trigger"
            failureSentence="The trigger was not deleted."
            onCovered={setCovered}
            send={({ client }) =>
              bodyOf(client.DELETE('/ai-workflows/api/triggers/{id}', { params: { path: { id } } }))
            }
            onDone={async () => {
              await refetchAfterDelete(cache, {
                lists: { queryKey: ['triggers', 'list'] },
                deleted: ['triggers', 'deliveries', id],
              })
              onClose()
              await notify({ title: `“${name}” is deleted` })
            }}
          >
            It starts nothing any more, and its deliveries are removed.
          </ConfirmedAction>
        }
      />
    </SideDrawer>
  )
}

/** Opens the form, and enables or disables the trigger. */
function TriggerActions({
  trigger,
  onChanged,
  onEdit,
}: Pick<TriggerDrawerProps, 'trigger' | 'onChanged' | 'onEdit'>) {
  const api = useApi()
  const { trigger_id: id, enabled } = trigger
  const toggle = useMutation({
    mutationFn: () =>
      bodyOf(
        api.client.PUT('/ai-workflows/api/triggers/{id}', {
          params: { path: { id } },
          body: { ...bodyAsIs(trigger), enabled: !enabled },
        }),
      ),
    onSuccess: onChanged,
  })
  return (
    <>
      <div className={styles['actions']}>
        <Button size="compact-sm" variant="default" onClick={onEdit}>
          Edit
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          aria-disabled={toggle.isPending}
          onClick={() => toggle.isPending || toggle.mutate()}
        >
          {enabled ? 'Disable' : 'Enable'}
        </Button>
      </div>
      {toggle.error === null ? null : (
        <FailureNotice
          what={`The trigger was not ${enabled ? 'disabled' : 'enabled'}.`}
          error={toggle.error}
          onRetry={toggle.reset}
          retryLabel="Close"
        />
      )}
    </>
  )
}

/** The requests and events of the last days; each can start its run once more. */
function Deliveries({ trigger: { trigger_id: id } }: { trigger: Trigger }) {
  const api = useApi()
  const cache = useQueryClient()
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useQuery(triggerDeliveriesQuery(api, { id, page }))
  const replay = useMutation({
    mutationFn: (delivery: string) =>
      bodyOf(
        api.client.POST('/ai-workflows/api/triggers/{id}/deliveries/{delivery}/replay', {
          params: { path: { id, delivery } },
        }),
      ),
    async onSuccess() {
      await cache.invalidateQueries({ queryKey: ['triggers'] })
      await notify({ title: 'The delivery is replayed', message: 'Its run is queued.' })
    },
  })
  return (
    <DrawerSection title="Deliveries" about="Requests and events of the last seven days.">
      {error !== null && data === undefined ? (
        <FailureNotice
          what="The deliveries could not be loaded."
          error={error}
          onRetry={() => void refetch()}
        />
      ) : data?.deliveries.length === 0 ? (
        <p>No deliveries yet.</p>
      ) : (
        <Table
          label="Deliveries"
          columns={columnsFor((delivery) => replay.isPending || replay.mutate(delivery))}
          rows={data?.deliveries}
          total={data?.total}
          rowKey={({ delivery_id: delivery }) => delivery}
        />
      )}
      <Pager
        order="newest first"
        label="Pages of deliveries"
        page={page}
        total={data?.total}
        onPage={setPage}
      />
      {replay.error === null ? null : (
        <FailureNotice
          what="The delivery was not replayed."
          error={replay.error}
          onRetry={replay.reset}
          retryLabel="Close"
        />
      )}
    </DrawerSection>
  )
}

function columnsFor(onReplay: (delivery: string) => void): ReadonlyArray<Column<TriggerDelivery>> {
  return [
    {
      title: 'Received',
      value: ({ received_at: at }) => at,
      cell: ({ received_at: at }) => <RelativeTime at={new Date(at * 1000).toISOString()} />,
    },
    {
      title: 'Result',
      value: ({ outcome }) => outcomeWords[outcome].word,
      cell: ({ outcome, error }) => <Status {...outcomeWords[outcome]} title={error?.message} />,
    },
    {
      title: 'Run',
      cell: ({ execution_id: execution }) =>
        execution === null ? (
          '–'
        ) : (
          <Button
            size="compact-xs"
            variant="default"
            renderRoot={(props) => <Link to="/executions/$execution" params={{ execution }} {...props} />}
          >
            Open run
          </Button>
        ),
    },
    {
      title: 'Actions',
      quiet: true,
      numeric: true,
      cell: ({ delivery_id: delivery, replayable }) =>
        replayable ? <RowAction label="Replay" name={delivery} onClick={() => onReplay(delivery)} /> : null,
    },
  ]
}
