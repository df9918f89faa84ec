import '../../../../theme/mantine-form.css'
import { Button, Input, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import type { TipLocation } from '@tutti/player/protocol'
import { useId } from 'react'
import { describeProblem, isAbout } from '../../../../parts/describe-problem.ts'
import formStyles from '../../../../parts/Form.module.css'
import { advanceWords } from '../../list/tour-words.ts'
import type { Refusal } from '../document/autosave.ts'
import type { Step } from '../document/tour-document.ts'
import { RichTextField } from '../rich-text/RichTextField.tsx'
import styles from './StepEditor.module.css'
import { TargetFields, type TargetFieldsProps } from './TargetFields.tsx'

interface StepEditorProps extends Omit<TargetFieldsProps, 'error' | 'onChange'> {
  readonly routes: readonly string[]
  readonly refusal: Refusal | undefined
  /** The platform removed a part of the written text. */
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
      <RichTextField
        label="Text"
        value={step.body}
        onChange={(body) => onChange('the text', { body })}
        error={problemOf('body')}
      />
      {isCleaned ? (
        <p className={styles['note']}>Some markup is not allowed in tours and was removed when saving.</p>
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
      {step.location === 'center' ? null : (
        <NativeSelect
          label="Continues with"
          data={Object.entries(advanceWords).map(([value, label]) => ({ value, label }))}
          value={step.advance}
          onChange={({ currentTarget: { value } }) =>
            onChange('what continues the step', { advance: value as Step['advance'] })
          }
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
      The step appears in the centre of the page.{' '}
      <Button
        size="compact-xs"
        variant="default"
        data-part="target"
        aria-disabled={!canPick}
        onClick={canPick ? onPick : undefined}
      >
        Pick an element
      </Button>
    </p>
  )
}

function routeChoices(routes: readonly string[], chosen: string | null) {
  const all = chosen === null || routes.includes(chosen) ? routes : [...routes, chosen]
  return [
    { value: '', label: 'All tour pages' },
    ...all.map((route) => ({ value: route, label: `Only on ${route}` })),
  ]
}

const placements: readonly { readonly value: TipLocation; readonly label: string }[] = [
  { value: 'top', label: 'Above' },
  { value: 'bottom', label: 'Below' },
  { value: 'left', label: 'Left' },
  { value: 'right', label: 'Right' },
  { value: 'center', label: 'Centre' },
]

interface PlacementChoiceProps {
  readonly value: TipLocation
  readonly onChange: (location: TipLocation) => void
}

/** Chooses the placement of a step: beside its element, or in the middle of the page without one. */
function PlacementChoice({ value, onChange }: PlacementChoiceProps) {
  const id = useId()
  return (
    <Input.Wrapper label="Placement" labelElement="div" labelProps={{ id }}>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-labelledby={id}
        value={value}
        onChange={(chosen) => {
          const placement = placements.find((it) => it.value === chosen)
          if (placement !== undefined) onChange(placement.value)
        }}
        data={[...placements]}
      />
    </Input.Wrapper>
  )
}
