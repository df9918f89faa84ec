import { useQueryClient } from '@tanstack/react-query'
import { bodyOf } from '../../api/api.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { notify } from '../../shell/notify.ts'
import type { FlowVersion, WholeFlow } from '../flows/flow-bodies.ts'

interface RollBackProps {
  readonly flow: WholeFlow
  readonly version: FlowVersion
  readonly onClose: () => void
}

/** Makes an old version the current one again. Nothing is lost by it: it becomes a new version. */
export function RollBack({ flow, version, onClose }: RollBackProps) {
  const cache = useQueryClient()
  return (
    <ConfirmDialog
      title={`Roll “${flow.label}” back to revision ${version.revision}?`}
      confirmLabel="Roll back"
      failureSentence="The flow stays as it is."
      send={({ client }) =>
        bodyOf(
          client.POST('/ai-workflows/api/flows/{id}/rollback', {
            params: { path: { id: flow.id } },
            body: { version: version.revision, expected_version: flow.current_revision },
          }),
        )
      }
      onDone={async () => {
        await cache.invalidateQueries({ queryKey: ['flows'] })
        await notify({ title: `“${flow.label}” is as it was in revision ${version.revision}` })
      }}
      onClose={onClose}
    >
      It becomes the newest version. Executions under way keep theirs, and the version of now can be rolled
      back to as well.
    </ConfirmDialog>
  )
}
