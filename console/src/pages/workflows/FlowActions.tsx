import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { type Api, bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { refetchAfterDelete } from '../../api/queries.ts'
import { useMay } from '../../api/use-may.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { OverflowMenu } from '../../parts/OverflowMenu.tsx'
import { notify } from '../../shell/notify.ts'
import { schedulesQuery } from '../schedules/schedule-queries.ts'
import { triggersQuery } from '../workflow/triggers/trigger-queries.ts'
import { downloadFlow } from './flow-file.ts'
import { type FlowEntry, flowQuery } from './flow-queries.ts'

type Subject = Pick<FlowEntry, 'id' | 'label' | 'enabled' | 'built_in'>

interface FlowActionsProps {
  readonly flow: Subject
  /** The accessible name of the menu's button. */
  readonly label: string
  readonly onDeleted?: () => Promise<void>
}

/** The actions of a workflow. A built-in one can be copied, exported and disabled only. */
export function FlowActions({ flow, label, onDeleted }: FlowActionsProps) {
  const [asking, setAsking] = useState<'disable' | 'delete'>()
  const api = useApi()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const mayManage = useMay('manage workflows')
  const close = () => setAsking(undefined)
  const { id, enabled, built_in: builtIn } = flow
  return (
    <>
      <OverflowMenu
        label={label}
        actions={[
          ...(mayManage
            ? [
                {
                  label: 'Duplicate',
                  onSelect: () => void navigate({ to: '/workflows/new', search: { from: id } }),
                },
              ]
            : []),
          { label: 'Export', onSelect: () => void exportFlow(api, cache, flow) },
          ...(mayManage && !enabled
            ? [{ label: 'Enable', onSelect: () => void enableFlow(api, cache, flow) }]
            : []),
        ]}
        destructive={[
          ...(mayManage && enabled ? [{ label: 'Disable…', onSelect: () => setAsking('disable') }] : []),
          ...(mayManage && !builtIn ? [{ label: 'Delete…', onSelect: () => setAsking('delete') }] : []),
        ]}
      />
      {asking === 'disable' ? <DisableFlow flow={flow} onClose={close} /> : null}
      {asking === 'delete' ? <DeleteFlow flow={flow} onDeleted={onDeleted} onClose={close} /> : null}
    </>
  )
}

/** Downloads a workflow as a file that Import accepts. */
async function exportFlow(api: Api, cache: QueryClient, { id, label }: Subject): Promise<void> {
  try {
    downloadFlow(await cache.fetchQuery(flowQuery(api, { id })))
  } catch (error) {
    await notify({ title: `“${label}” was not exported`, error })
  }
}

/** Enables a workflow; a failure is shown as a notification. */
export async function enableFlow(
  api: Api,
  cache: QueryClient,
  { id, label }: Pick<Subject, 'id' | 'label'>,
): Promise<void> {
  try {
    await bodyOf(
      api.client.PATCH('/ai-workflows/api/flows/{id}', { params: { path: { id } }, body: { enabled: true } }),
    )
    await cache.invalidateQueries({ queryKey: ['flows'] })
    await notify({ title: `“${label}” is enabled` })
  } catch (error) {
    await notify({ title: `“${label}” was not enabled`, error })
  }
}

interface DialogProps {
  readonly flow: Subject
  readonly onClose: () => void
}

function DisableFlow({ flow: { id, label }, onClose }: DialogProps) {
  const cache = useQueryClient()
  return (
    <ConfirmDialog
      title={`Disable “${label}”?`}
      confirmLabel="Disable workflow"
      failureSentence="The workflow was not disabled."
      send={({ client }) =>
        bodyOf(
          client.PATCH('/ai-workflows/api/flows/{id}', {
            params: { path: { id } },
            body: { enabled: false },
          }),
        )
      }
      onDone={async () => {
        await cache.invalidateQueries({ queryKey: ['flows'] })
        await notify({ title: `“${label}” is disabled` })
      }}
      onClose={onClose}
    >
      It is not started until it is enabled again: not by people, the API, schedules, triggers or other
      workflows. Running executions continue. <Starters flow={id} />
    </ConfirmDialog>
  )
}

interface DeleteFlowProps extends DialogProps {
  readonly onDeleted: (() => Promise<void>) | undefined
}

/** The executions of a deleted workflow stay readable. */
function DeleteFlow({ flow: { id, label }, onDeleted, onClose }: DeleteFlowProps) {
  const cache = useQueryClient()
  return (
    <ConfirmDialog
      title={`Delete “${label}”?`}
      confirmLabel="Delete workflow"
      failureSentence="The workflow was not deleted."
      send={({ client }) =>
        bodyOf(client.DELETE('/ai-workflows/api/flows/{id}', { params: { path: { id } } }))
      }
      onDone={async ({ executions_under_way: open }) => {
        await onDeleted?.()
        await refetchAfterDelete(cache, {
          lists: { queryKey: ['flows', 'list'] },
          deleted: ['flows', 'one', id],
        })
        await notify({
          title: `“${label}” is deleted`,
          ...(open === 0
            ? {}
            : {
                message: `${open === 1 ? 'One running execution continues' : `${open} running executions continue`} to the end.`,
              }),
        })
      }}
      onClose={onClose}
    >
      The workflow can no longer be run, also not by schedules. Running executions continue to the end;
      results and versions are kept. <Starters flow={id} />
    </ConfirmDialog>
  )
}

/** Counts the schedules and triggers that start the workflow. */
function Starters({ flow }: { flow: string }): ReactNode {
  const api = useApi()
  const mayRun = useMay('run workflows')
  const { data: schedules } = useQuery({ ...schedulesQuery(api, { flow }), enabled: mayRun })
  const { data: triggers } = useQuery({ ...triggersQuery(api, flow), enabled: mayRun })
  if (schedules === undefined || triggers === undefined) return null
  const counts = [count(schedules.total, 'schedule'), count(triggers.length, 'trigger')].flat()
  return counts.length === 0 ? null : `It has ${counts.join(' and ')}.`
}

function count(number: number, word: string): readonly string[] {
  if (number === 0) return []
  return [number === 1 ? `one ${word}` : `${number} ${word}s`]
}
