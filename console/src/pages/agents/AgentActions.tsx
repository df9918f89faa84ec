import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { useApi } from '../../api/api-context.ts'
import { refetchAfterDelete } from '../../api/queries.ts'
import { useApiQuery } from '../../api/use-api-query.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { OverflowMenu } from '../../parts/OverflowMenu.tsx'
import { notify } from '../../shell/notify.ts'
import type { AgentEntry } from './agent-queries.ts'
import { allWorkflowsQuery } from './workflow-queries.ts'

type Asking = 'disable' | 'delete' | undefined

interface AgentActionsProps {
  readonly agent: Pick<AgentEntry, 'id' | 'label' | 'status' | 'built_in'>
  /** The accessible name of the menu's button. */
  readonly label: string
  /** Whether the menu has the actions that a page shows as buttons. */
  readonly isInRow: boolean
  readonly onDeleted?: () => Promise<void>
}

/** The actions of an account that may change agents. A built-in agent can be copied and disabled only. */
export function AgentActions({ agent, label, isInRow, onDeleted }: AgentActionsProps) {
  const [asking, setAsking] = useState<Asking>()
  const navigate = useNavigate()
  const enable = useEnable(agent)
  const { id, status, built_in: builtIn } = agent
  const isActive = status === 'active'
  const edit = {
    label: 'Edit',
    onSelect: () => void navigate({ to: '/agents/$agent/edit', params: { agent: id } }),
  }
  return (
    <>
      <OverflowMenu
        label={label}
        actions={[
          ...(isInRow && !builtIn ? [edit] : []),
          {
            label: 'Duplicate',
            onSelect: () => void navigate({ to: '/agents/new', search: { from: id } }),
          },
          {
            label: 'Use in a workflow',
            onSelect: () => void navigate({ to: '/workflows', search: { agents: id } }),
          },
          ...(isActive ? [] : [{ label: 'Enable', onSelect: enable }]),
        ]}
        destructive={[
          ...(isActive ? [{ label: 'Disable…', onSelect: () => setAsking('disable') }] : []),
          ...(builtIn ? [] : [{ label: 'Delete…', onSelect: () => setAsking('delete') }]),
        ]}
      />
      {asking === 'disable' ? <DisableAgent agent={agent} onClose={() => setAsking(undefined)} /> : null}
      {asking === 'delete' ? (
        <DeleteAgent agent={agent} onDeleted={onDeleted} onClose={() => setAsking(undefined)} />
      ) : null}
    </>
  )
}

function useEnable({ id, label }: AgentActionsProps['agent']): () => void {
  const api = useApi()
  const cache = useQueryClient()
  async function enable(): Promise<void> {
    try {
      await bodyOf(
        api.client.PUT('/ai-orchestra/api/agents/{id}', {
          params: { path: { id } },
          body: { status: 'active' },
        }),
      )
      await cache.invalidateQueries({ queryKey: ['agents'] })
      await notify({ title: `“${label}” is enabled` })
    } catch (error) {
      await notify({ title: `“${label}” was not enabled`, error })
    }
  }
  return () => void enable()
}

interface DialogProps {
  readonly agent: AgentActionsProps['agent']
  readonly onClose: () => void
}

function DisableAgent({ agent: { id, label }, onClose }: DialogProps) {
  const cache = useQueryClient()
  return (
    <ConfirmDialog
      title={`Disable “${label}”?`}
      confirmLabel="Disable agent"
      failureSentence="The agent was not disabled."
      send={({ client }) =>
        bodyOf(
          client.PUT('/ai-orchestra/api/agents/{id}', {
            params: { path: { id } },
            body: { status: 'inactive' },
          }),
        )
      }
      onDone={async () => {
        await cache.invalidateQueries({ queryKey: ['agents'] })
        await notify({ title: `“${label}” is disabled` })
      }}
      onClose={onClose}
    >
      Its steps fail until it is enabled again. <UsedBy agent={id} />
    </ConfirmDialog>
  )
}

interface DeleteAgentProps extends DialogProps {
  readonly onDeleted: (() => Promise<void>) | undefined
}

function DeleteAgent({ agent: { id, label }, onDeleted, onClose }: DeleteAgentProps) {
  const cache = useQueryClient()
  return (
    <ConfirmDialog
      title={`Delete “${label}”?`}
      confirmLabel="Delete agent"
      failureSentence="The agent was not deleted."
      send={({ client }) =>
        bodyOf(client.DELETE('/ai-orchestra/api/agents/{id}', { params: { path: { id } } }))
      }
      onDone={async () => {
        await onDeleted?.()
        await refetchAfterDelete(cache, {
          lists: { queryKey: ['agents', 'list'] },
          deleted: ['agents', 'one', id],
        })
        await notify({ title: `“${label}” is deleted` })
      }}
      onClose={onClose}
    >
      Its steps fail from now on; past results are kept. <UsedBy agent={id} />
    </ConfirmDialog>
  )
}

/** The number of workflows that a dialog names; the others are counted. */
const maxNamed = 5

/** Names the workflows that use the agent. */
function UsedBy({ agent }: { agent: string }): ReactNode {
  const { data, failure } = useApiQuery(allWorkflowsQuery(useApi()))
  if (data === undefined)
    return failure === null
      ? 'Looking for workflows that use it…'
      : 'The workflows that use it could not be loaded.'
  const labels = data.flatMap((workflow) => (workflow.agents.includes(agent) ? [workflow.label] : []))
  if (labels.length === 0) return 'No workflow uses it.'
  const named = labels.slice(0, maxNamed).join(', ')
  const more = labels.length > maxNamed ? ` and ${labels.length - maxNamed} more` : ''
  return (
    <>
      {labels.length === 1 ? 'One workflow uses it: ' : `${labels.length} workflows use it: `}
      <strong>{named}</strong>
      {more}.
    </>
  )
}
