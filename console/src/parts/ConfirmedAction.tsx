import { useState } from 'react'
import { ConfirmDialog, type ConfirmedRequest } from './ConfirmDialog.tsx'
import { DangerButton } from './DangerButton.tsx'

interface ConfirmedActionProps {
  /** The label of the button, such as `Delete route…`. */
  readonly label: string
  /** Called when the confirmation dialog opens in front of the drawer, and when it closes. */
  readonly onCovered: (covered: boolean) => void
}

/** The button of a destructive action in a drawer, with its confirmation dialog. */
export function ConfirmedAction<Answer>(props: ConfirmedActionProps & ConfirmedRequest<Answer>) {
  const { label, onCovered, ...request } = props
  const [isAsking, setAsking] = useState(false)
  const ask = (wanted: boolean) => {
    setAsking(wanted)
    onCovered(wanted)
  }
  return (
    <>
      <DangerButton kind="ask" onClick={() => ask(true)}>
        {label}
      </DangerButton>
      {isAsking ? <ConfirmDialog {...request} onClose={() => ask(false)} /> : null}
    </>
  )
}
