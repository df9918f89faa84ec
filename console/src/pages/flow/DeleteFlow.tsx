import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { bodyOf } from '../../api/api.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { notify } from '../../shell/notify.ts'
import type { WholeFlow } from '../flows/flow-queries.ts'

/** Takes a flow away. What it has done stays readable. */
export function DeleteFlow({ flow: { id, label } }: { flow: WholeFlow }) {
  const [isAsking, setIsAsking] = useState(false)
  const cache = useQueryClient()
  const navigate = useNavigate()
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setIsAsking(true)}>
        Delete
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title={`Delete “${label}”?`}
          confirmLabel="Delete flow"
          failureSentence="The flow was not deleted."
          send={({ client }) =>
            bodyOf(client.DELETE('/ai-workflows/api/flows/{id}', { params: { path: { id } } }))
          }
          onDone={async ({ executions_under_way: open }) => {
            await navigate({ to: '/flows' })
            cache.removeQueries({ queryKey: ['flows', 'one', id] })
            await cache.invalidateQueries({ queryKey: ['flows', 'list'] })
            await notify({
              title: `“${label}” is deleted`,
              ...(open === 0
                ? {}
                : {
                    message: `${open === 1 ? 'One running execution continues' : `${open} running executions continue`} to the end.`,
                  }),
            })
          }}
          onClose={() => setIsAsking(false)}
        >
          The flow can no longer be run, also not by schedules. Running executions continue to the end;
          results and versions are kept.
        </ConfirmDialog>
      ) : null}
    </>
  )
}
