import { Button } from '@mantine/core'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { type DraftStep, nameOf } from '../document/flow-document.ts'
import { createStepActions } from '../list/step-actions.ts'
import { useEditing } from '../use-flow-editor.ts'
import { FormField } from './fields/FormField.tsx'
import { FormContext } from './form-subject.ts'
import { OtherProblems } from './OtherProblems.tsx'
import styles from './Panel.module.css'
import { StepIdField } from './StepIdField.tsx'
import { StepTypeField } from './StepTypeField.tsx'
import { useStepSubject } from './use-step-subject.ts'

interface StepFormProps {
  readonly step: DraftStep
  readonly onRenamed: (id: string) => void
  readonly onRemoved: () => void
}

/** Everything a step can say. */
export function StepForm({ step, onRenamed, onRemoved }: StepFormProps) {
  const { subject, others } = useStepSubject(step)
  const [label, ...fields] = subject.fields
  return (
    <FormContext value={subject}>
      <h2 className={styles['title']}>{nameOf(step)}</h2>
      <OtherProblems problems={others} />
      {label === undefined ? null : <FormField field={label} path={[label.name]} />}
      <StepIdField step={step} problems={subject.problems.get('id') ?? []} onRenamed={onRenamed} />
      <StepTypeField step={step} problems={subject.problems.get('type') ?? []} />
      {fields.map((field) => (
        <FormField key={`${step.type} ${field.name}`} field={field} path={[field.name]} />
      ))}
      <StepActions step={step} onRemoved={onRemoved} />
    </FormContext>
  )
}

function StepActions({ step, onRemoved }: { step: DraftStep; onRemoved: () => void }) {
  const actions = createStepActions(useEditing())
  return (
    <div className={styles['foot']}>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconCopy size={14} aria-hidden />}
        onClick={() => actions.duplicate([step.id])}
      >
        Duplicate
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<IconTrash size={14} aria-hidden />}
        onClick={() => {
          actions.remove([step.id])
          onRemoved()
        }}
      >
        Remove
      </Button>
    </div>
  )
}
