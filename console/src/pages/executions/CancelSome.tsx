import { type Api, bodyOf } from '../../api/api.ts'
import { ConfirmDialog } from '../../parts/ConfirmDialog.tsx'
import { notify } from '../../shell/notify.ts'
import type { ExecutionEntry } from './execution-queries.ts'
import { forEach } from './for-each.ts'

interface CancelSomeProps {
  readonly executions: readonly Pick<ExecutionEntry, 'execution_id' | 'flow_label'>[]
  readonly onDone: () => Promise<void>
  readonly onClose: () => void
}

/** Asks before executions are ended. */
export default function CancelSome({ executions, onDone, onClose }: CancelSomeProps) {
  const [first] = executions
  const what = executions.length === 1 ? `“${first?.flow_label}”` : `${executions.length} executions`
  const cancelAll = (api: Api) =>
    forEach(executions, ({ execution_id }) =>
      bodyOf(
        api.client.POST('/ai-workflows/api/executions/{execution_id}/cancel', {
          params: { path: { execution_id } },
          body: { reason: 'Cancelled in the console.' },
        }),
      ),
    )
  return (
    <ConfirmDialog
      title={`Cancel ${what}?`}
      confirmLabel={executions.length === 1 ? 'Cancel it' : 'Cancel them'}
      failureSentence="Some executions were not cancelled."
      send={cancelAll}
      onDone={async ({ succeeded, problems }) => {
        await onDone()
        await notify({
          title: succeeded === 1 ? '1 execution is cancelled' : `${succeeded} executions are cancelled`,
          ...(problems.length === 0 ? {} : { message: problems.join(' ') }),
        })
      }}
      onClose={onClose}
    >
      Running calls to models and other services are stopped. Results so far are kept, and their cost is
      charged.
    </ConfirmDialog>
  )
}
