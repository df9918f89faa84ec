import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useApi } from '../../../api/api-context.ts'
import { useMay } from '../../../api/use-may.ts'
import { EmptyState } from '../../../parts/EmptyState.tsx'
import { FailureNotice } from '../../../parts/FailureNotice.tsx'
import { OneTimeSecret } from '../../../parts/OneTimeSecret.tsx'
import { Status } from '../../../parts/Status.tsx'
import { type Column, Table } from '../../../parts/Table.tsx'
import { lazyPart } from '../../../shell/loading/lazy-part.tsx'
import { notify } from '../../../shell/notify.ts'
import { apiReferencePath } from '../../../shell/pages.ts'
import { RelativeTime } from '../../../time/RelativeTime.tsx'
import type { WholeFlow } from '../../workflows/flow-queries.ts'
import type { TriggerSecret } from './TriggerForm.tsx'
import styles from './TriggersTab.module.css'
import { type Trigger, triggersQuery } from './trigger-queries.ts'
import { describeSource, nameOfTrigger, outcomeWords } from './trigger-words.ts'

const TriggerForm = lazyPart(() => import('./TriggerForm.tsx'))
const TriggerDrawer = lazyPart(() => import('./TriggerDrawer.tsx'))

/** The webhooks and events that start a workflow. */
export default function TriggersTab({ flow }: { flow: WholeFlow }) {
  const cache = useQueryClient()
  const mayRun = useMay('run workflows')
  const { data: triggers, error, refetch } = useQuery(triggersQuery(useApi(), flow.id))
  const [isCreating, setCreating] = useState(false)
  const [openId, setOpenId] = useState<string>()
  const [isEditing, setEditing] = useState(false)
  const [made, setMade] = useState<TriggerSecret>()
  const open = triggers?.find(({ trigger_id: id }) => id === openId)
  const refresh = () => cache.invalidateQueries({ queryKey: ['triggers'] })
  const create = (
    <Button size="compact-sm" onClick={() => setCreating(true)}>
      Create trigger
    </Button>
  )
  return (
    <>
      {error !== null && triggers === undefined ? (
        <FailureNotice
          what="The triggers could not be loaded."
          error={error}
          onRetry={() => void refetch()}
        />
      ) : triggers?.length === 0 ? (
        <EmptyState
          sentence="No webhook or event starts this workflow."
          action={mayRun ? create : null}
          link={<a href={apiReferencePath}>Read about triggers</a>}
        />
      ) : (
        <>
          <Table
            label="Triggers"
            columns={columns}
            rows={triggers}
            rowKey={({ trigger_id: id }) => id}
            onOpen={({ trigger_id: id }) => setOpenId(id)}
          />
          {mayRun && triggers !== undefined ? <p className={styles['foot']}>{create}</p> : null}
        </>
      )}
      <Suspense>
        {isCreating ? (
          <TriggerForm
            flow={flow}
            onClose={() => setCreating(false)}
            onSaved={async (secret) => {
              await refresh()
              setCreating(false)
              if (secret.url !== null) setMade(secret)
            }}
          />
        ) : null}
        {open === undefined ? null : isEditing ? (
          <TriggerForm
            key={open.trigger_id}
            flow={flow}
            trigger={open}
            onClose={() => setEditing(false)}
            onSaved={async (secret) => {
              await refresh()
              setEditing(false)
              await notify({ title: `“${secret.name}” is saved` })
              if (secret.secret !== null) setMade(secret)
            }}
          />
        ) : (
          <TriggerDrawer
            trigger={open}
            onChanged={refresh}
            onSecret={setMade}
            onEdit={() => setEditing(true)}
            onClose={() => setOpenId(undefined)}
          />
        )}
      </Suspense>
      {made === undefined ? null : (
        <OneTimeSecret
          title={`${made.url === null ? 'Secret' : 'URL'} of “${made.name}”`}
          warning="Copy it now: it is shown only once. Everyone who knows it can send requests."
          secrets={[
            ...(made.url === null ? [] : [{ name: 'URL', value: made.url }]),
            ...(made.secret === null ? [] : [{ name: 'Secret', value: made.secret }]),
          ]}
          doneLabel="I have saved it"
          onDone={() => setMade(undefined)}
        />
      )}
    </>
  )
}

function lastResult({ last_outcome: outcome }: Trigger) {
  return Object.entries(outcomeWords).find(([name]) => name === outcome)?.[1]
}

const columns: ReadonlyArray<Column<Trigger>> = [
  { title: 'Trigger', minWidth: 140, value: nameOfTrigger, cell: nameOfTrigger },
  {
    title: 'State',
    value: ({ enabled }) => (enabled ? 'Enabled' : 'Disabled'),
    cell: ({ enabled }) => (
      <Status tone={enabled ? 'good' : 'idle'} word={enabled ? 'Enabled' : 'Disabled'} />
    ),
  },
  { title: 'Source', value: describeSource, minWidth: 120, cell: describeSource },
  {
    title: 'Last result',
    value: (trigger) => lastResult(trigger)?.word ?? null,
    cell: (trigger) => {
      const words = lastResult(trigger)
      return words === undefined ? '–' : <Status {...words} title={trigger.last_error?.message} />
    },
  },
  {
    title: 'Started',
    numeric: true,
    minor: true,
    value: ({ counts }) => counts.started,
    cell: ({ counts }) => counts.started.toLocaleString(),
  },
  {
    title: 'Last',
    numeric: true,
    value: ({ last_at: at }) => at,
    cell: ({ last_at: at }) => (at === null ? '–' : <RelativeTime at={new Date(at * 1000).toISOString()} />),
  },
]
