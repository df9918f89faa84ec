import { useState } from 'react'
import { useEditing } from '../use-flow-editor.ts'
import { createStepActions, type StepActions } from './step-actions.ts'

/** What can be done with the steps of the flow that is open. */
export function useStepActions(): StepActions {
  const { editor, announce } = useEditing()
  // One editor and one announcer surround all of this; the actions stay the same object, and with them rows that did not change.
  const [actions] = useState(() => createStepActions({ editor, announce }))
  return actions
}
