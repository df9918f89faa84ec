import '../../../../theme/mantine-form.css'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { describeProblem, isAbout } from '../../../../parts/describe-problem.ts'
import formStyles from '../../../../parts/Form.module.css'
import type { Refusal } from '../document/autosave.ts'
import type { Step } from '../document/tour-document.ts'
import { BodyField } from './BodyField.tsx'
import { PlacementChoice } from './PlacementChoice.tsx'
import styles from './StepEditor.module.css'
import { TargetFields, type TargetFieldsProps } from './TargetFields.tsx'

interface StepEditorProps extends Omit<TargetFieldsProps, 'error' | 'onChange'> {
  readonly routes: readonly string[]
  readonly refusal: Refusal | undefined
  /** The platform kept less of the text than was written. */
  readonly isCleaned: boolean
  readonly onChange: (field: string, changes: Partial<Omit<Step, 'key'>>) => void
  readonly onDuplicate: () => void
  readonly onDelete: () => void
}

/** The fields of the open step. */
export function StepEditor(props: StepEditorProps) {
  const { step, routes, refusal, isCleaned, onChange, onDuplicate, onDelete, ...target } = props
  const problemOf = (field: string) => {
    const problem = refusal?.failure.problems.find((it) => isAbout(it, `stepData.${field}`))
    return problem && describeProblem(problem)
  }
  const isElsewhere = !['title', 'body', 'selector', 'candidates', 'route'].some(problemOf)
  return (
    <div className={formStyles['form']}>
      {refusal !== undefined && isElsewhere ? (
        <p className={styles['refusal']} role="alert">
          {refusal.failure.message}
        </p>
      ) : null}
      <TextInput
        label="Title"
        data-part="title"
        autoComplete="off"
        value={step.title}
        onChange={({ currentTarget: { value } }) => onChange('the title', { title: value })}
        error={problemOf('title')}
      />
      <BodyField
        value={step.body}
        onChange={(body) => onChange('the text', { body })}
        error={problemOf('body')}
      />
      {isCleaned ? (
        <p className={styles['note']}>
          Something in this text is not allowed in tours and was left out when saving.
        </p>
      ) : null}
      <PlacementChoice
        value={step.location}
        onChange={(location) => onChange('the placement', { location })}
      />
      {step.location === 'center' && step.selector === '' ? (
        <CentreTarget canPick={target.canPick} onPick={target.onPick} />
      ) : null}
      {step.location === 'center' ? null : (
        <TargetFields
          {...target}
          step={step}
          error={problemOf('selector') ?? problemOf('candidates')}
          onChange={(changes) => onChange('the element', changes)}
        />
      )}
      <NativeSelect
        label="Page"
        data={routeChoices(routes, step.route)}
        value={step.route ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange('the page', { route: value === '' ? null : value })
        }
        error={problemOf('route')}
      />
      <div className={styles['foot']}>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconCopy size={14} aria-hidden />}
          onClick={onDuplicate}
        >
          Duplicate
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={onDelete}
        >
          Delete
        </Button>
      </div>
    </div>
  )
}

function CentreTarget({ canPick, onPick }: { canPick: boolean; onPick: () => void }) {
  return (
    <p className={styles['note']}>
      It stands in the centre of the page.{' '}
      <Button
        size="compact-xs"
        variant="default"
        data-part="target"
        aria-disabled={!canPick}
        onClick={canPick ? onPick : undefined}
      >
        Pick an element for it
      </Button>
    </p>
  )
}

function routeChoices(routes: readonly string[], chosen: string | null) {
  const all = chosen === null || routes.includes(chosen) ? routes : [...routes, chosen]
  return [
    { value: '', label: 'Wherever the tour is' },
    ...all.map((route) => ({ value: route, label: `Only on ${route}` })),
  ]
}
