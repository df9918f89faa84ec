import { Button } from '@mantine/core'
import { useBlocker } from '@tanstack/react-router'
import { DangerButton } from '../../../parts/DangerButton.tsx'
import { Dialog, DialogFoot, DialogText } from './Dialog.tsx'
import type { Draft } from './use-draft.ts'

/** Another page of the console waits until it is clear what becomes of changes that are not saved. */
export function LeaveGuard({ draft }: { draft: Draft }) {
  const { editor, isKept, keepNow, forget } = draft
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => {
      keepNow()
      return editor.read().isChanged && !isSamePage(current, next)
    },
    // A window that is closed and opened again goes on with the draft: there is nothing to ask.
    enableBeforeUnload: () => !keepNow() && editor.read().isChanged,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  const discard = () => {
    forget()
    proceed()
  }
  return (
    <Dialog title="Leave without saving?" onClose={reset}>
      <DialogText>
        {isKept
          ? 'Your changes are stored as a draft in this browser and restored when you open the editor again.'
          : 'This browser cannot store drafts. Your changes will be lost.'}
      </DialogText>
      <DialogFoot>
        <Button size="sm" variant="default" data-autofocus onClick={reset}>
          Stay
        </Button>
        <DangerButton kind="do" onClick={discard}>
          Leave and discard
        </DangerButton>
        {isKept ? (
          <Button size="sm" onClick={proceed}>
            Leave and keep draft
          </Button>
        ) : null}
      </DialogFoot>
    </Dialog>
  )
}

interface Place {
  readonly pathname: string
  readonly search: unknown
}

/** Another view of the flow is no other page. */
function isSamePage(current: Place, next: Place): boolean {
  return current.pathname === next.pathname && fromOf(current) === fromOf(next)
}

function fromOf({ search }: Place): unknown {
  return typeof search === 'object' && search !== null && 'from' in search ? search.from : undefined
}
