import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from '../../../parts/ConfirmDialog.tsx'
import type { TourEditor } from './document/tour-editor.ts'

/** Another page of the console waits until everything is saved; where that cannot be, the person decides. */
export function LeaveGuard({ editor }: { editor: TourEditor }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: async () => !(await editor.settled()),
    enableBeforeUnload: () => editor.read().save.name !== 'saved',
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <ConfirmDialog
      title="Leave without saving?"
      confirmLabel="Leave"
      failureSentence="You are still here."
      onConfirm={async () => proceed()}
      onClose={reset}
    >
      <p>What you changed last could not be saved, and will be lost.</p>
    </ConfirmDialog>
  )
}
