import { useQueryClient } from '@tanstack/react-query'
import { bodyOf } from '../../api/api.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { notify } from '../../shell/notify.ts'
import type { AgentVersion, WholeAgent } from '../agents/agent-bodies.ts'

interface RollBackAgentProps {
  readonly agent: WholeAgent
  readonly version: AgentVersion
  readonly onClose: () => void
}

/** Makes an old version of an agent the current one again. Nothing is lost by it: it becomes a new version. */
export function RollBackAgent({ agent, version, onClose }: RollBackAgentProps) {
  const cache = useQueryClient()
  return (
    <ConfirmDialog
      title={`Roll “${agent.label}” back to version ${version.version}?`}
      confirmLabel="Roll back"
      failureSentence="The agent stays as it is."
      send={({ client }) =>
        bodyOf(
          client.POST('/ai-orchestra/api/agents/{id}/rollback', {
            params: { path: { id: agent.id } },
            body: { version: version.revision, expected_version: agent.current_revision },
          }),
        )
      }
      onDone={async () => {
        await cache.invalidateQueries({ queryKey: ['agents'] })
        await notify({ title: `“${agent.label}” is as it was in version ${version.version}` })
      }}
      onClose={onClose}
    >
      It becomes the newest version, which steps use unless they name another. The version of now can be
      rolled back to as well.
    </ConfirmDialog>
  )
}
