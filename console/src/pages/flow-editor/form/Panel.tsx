import '../../../theme/mantine-form.css'
import '../../../theme/mantine-floating.css'
import { useRef, useState } from 'react'
import formStyles from '../../../parts/Form.module.css'
import { stepIn } from '../document/flow-document.ts'
import { useEditing } from '../use-flow-editor.ts'
import { FlowForm } from './FlowForm.tsx'
import styles from './Panel.module.css'
import { SeveralSelected } from './SeveralSelected.tsx'
import { StepForm } from './StepForm.tsx'
import { useAskedFocus } from './use-asked-focus.ts'

/** The form of whatever is selected: a step, several, or the flow itself. */
export function Panel() {
  const { state } = useEditing()
  const root = useRef<HTMLDivElement>(null)
  useAskedFocus(root, state)
  // A step that gets another id stays the same form: nobody loses the field they are in.
  const [renamed, setRenamed] = useState<{ readonly first: string; readonly now: string }>()
  const [only, ...others] = state.selected
  const step = only === undefined ? undefined : stepIn(state.document, only)
  return (
    <div ref={root} tabIndex={-1} className={`${formStyles['form']} ${styles['panel']}`}>
      {others.length > 0 ? (
        <SeveralSelected ids={state.selected} onRemoved={() => root.current?.focus()} />
      ) : step === undefined ? (
        <FlowForm />
      ) : (
        <StepForm
          key={keyOf(step.id, renamed)}
          step={step}
          onRemoved={() => root.current?.focus()}
          onRenamed={(now) => setRenamed({ first: firstOf(step.id, renamed), now })}
        />
      )}
    </div>
  )
}

type Renamed = { readonly first: string; readonly now: string } | undefined

function firstOf(id: string, renamed: Renamed): string {
  return renamed?.now === id ? renamed.first : id
}

function keyOf(id: string, renamed: Renamed): string {
  // Another step may have the first name by now.
  return renamed?.first === id && renamed.now !== id ? `${id} again` : firstOf(id, renamed)
}
