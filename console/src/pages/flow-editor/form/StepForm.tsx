import { Button, NativeSelect, TextInput } from '@mantine/core'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { type ReactNode, useMemo, useState } from 'react'
import { describeProblem } from '../../../parts/describe-problem.ts'
import { countSteps } from '../document/count-steps.ts'
import { renameStep, setStepValue } from '../document/edits.ts'
import { type DraftStep, nameOf, stepIn } from '../document/flow-document.ts'
import type { FlowEditor } from '../document/flow-editor.ts'
import { type Json, type JsonPath, withValueAt } from '../document/json.ts'
import { allSteps, placeOfStep } from '../document/scopes.ts'
import { isContainer } from '../document/step-kinds.ts'
import { createStepActions } from '../list/step-actions.ts'
import { type FlowProblem, problemsOfStep } from '../problems/problem.ts'
import { enterScope } from '../scope-ways.ts'
import { useEditing } from '../use-flow-editor.ts'
import { FormField } from './fields/FormField.tsx'
import fieldStyles from './fields/fields.module.css'
import { useOpen } from './fields/use-open.ts'
import { changeStepType, FormContext, type FormSubject, type StepSubject, typeTitle } from './form-subject.ts'
import { OtherProblems } from './OtherProblems.tsx'
import styles from './Panel.module.css'
import { memoryKeys, outputFields, suggestionsFor, suggestionsOfOwn } from './paths/suggestions.ts'
import { placeProblems } from './placed-problems.ts'
import { withoutAt } from './schema/field-at.ts'
import { titleOf } from './schema/field-words.ts'
import { fieldsOfStep, stepTypes, withUnknown } from './schema/form-fields.ts'
import { pathText, withinStep } from './schema/path-text.ts'
import type { Field } from './schema/shape.ts'
import { layOutStep, type PlacedField } from './schema/step-layout.ts'

interface StepFormProps {
  readonly step: DraftStep
  readonly onRenamed: (id: string) => void
  readonly onRemoved: () => void
}

/** The form of a step. */
export function StepForm({ step, onRenamed, onRemoved }: StepFormProps) {
  const { subject, others } = useStepSubject(step)
  const label = subject.fields.find(({ name }) => name === 'label')
  const { main, advanced } = layOutStep(subject.fields, step)
  return (
    <FormContext value={subject}>
      <h2 className={styles['title']}>{nameOf(step)}</h2>
      <OtherProblems problems={others} />
      <div className={styles['names']}>
        {label === undefined ? null : <FormField field={label} path={[label.name]} />}
        <StepIdField step={step} problems={subject.problems.get('id') ?? []} onRenamed={onRenamed} />
      </div>
      {isContainer(step) ? <StepsInside step={step} problems={subject.problems.get('steps') ?? []} /> : null}
      <PlacedFields step={step} fields={main} />
      <Advanced step={step} fields={advanced}>
        <StepTypeField step={step} problems={subject.problems.get('type') ?? []} />
      </Advanced>
      <StepActions step={step} onRemoved={onRemoved} />
    </FormContext>
  )
}

interface PlacedFieldsProps {
  readonly step: DraftStep
  readonly fields: readonly PlacedField[]
}

function PlacedFields({ step, fields }: PlacedFieldsProps) {
  return fields.map(({ field, path }) => (
    <FormField key={`${step.type} ${path.join('.')}`} field={field} path={path} />
  ))
}

/** Fields that most steps leave at their default, folded. The fold opens for a requested path and for a problem. */
function Advanced({ step, fields, children }: PlacedFieldsProps & { readonly children: ReactNode }) {
  const [isOpen, setIsOpen] = useOpen(['type', ...fields.map(({ path }) => pathText(path))], false)
  const set = fields.filter(({ field }) => step[field.name] !== undefined)
  return (
    <details className={fieldStyles['folded']} open={isOpen}>
      <summary
        onClick={(click) => {
          // The browser reports its folding later, when the focus may already be inside.
          click.preventDefault()
          setIsOpen(!isOpen)
        }}
      >
        <span className={fieldStyles['title']}>Advanced</span>
        <span className={fieldStyles['gist']}>
          {isOpen ? '' : set.map(({ field }) => titleOf(field.name)).join(', ')}
        </span>
      </summary>
      {isOpen ? (
        <div className={fieldStyles['inside']}>
          {children}
          <PlacedFields step={step} fields={fields} />
        </div>
      ) : null}
    </details>
  )
}

/** The steps of a container: their number, and the way to them. */
function StepsInside({ step, problems }: { step: DraftStep; problems: readonly FlowProblem[] }) {
  const editing = useEditing()
  const isOpen = editing.state.scope === step.id
  return (
    <div data-path="steps" className={styles['inside']}>
      <span>{countSteps(step)}</span>
      {isOpen ? null : (
        <Button size="compact-sm" variant="default" onClick={() => enterScope(editing, step.id)}>
          Open steps
        </Button>
      )}
      {problems.length === 0 ? null : (
        <p className={fieldStyles['error']}>{problems.map(describeProblem).join(' ')}</p>
      )}
    </div>
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

/** The step type. Changing it keeps the fields both types share. */
function StepTypeField({ step, problems }: { step: DraftStep; problems: readonly FlowProblem[] }) {
  const { editor } = useEditing()
  const types = stepTypes.includes(step.type) ? stepTypes : [...stepTypes, step.type]
  const said = problems.map(describeProblem)
  return (
    <div data-path="type">
      <NativeSelect
        label="Type"
        description="Changing the type keeps only the shared fields; undo restores the others."
        error={said.length === 0 ? undefined : said.join(' ')}
        value={step.type}
        data={types.map((type) => ({
          value: type,
          label: typeTitle(type) === type ? type : `${typeTitle(type)} (${type})`,
        }))}
        onChange={({ currentTarget: { value } }) =>
          editor.change({ what: `the type of ${nameOf(step)}` }, (document) =>
            changeStepType(document, step.id, value),
          )
        }
      />
    </div>
  )
}

interface StepIdFieldProps {
  readonly step: DraftStep
  readonly problems: readonly FlowProblem[]
  readonly onRenamed: (id: string) => void
}

/** The ID of a step. Applied on Enter and on blur, with all references. */
function StepIdField({ step, problems, onRenamed }: StepIdFieldProps) {
  const { editor, state, announce } = useEditing()
  const [typed, setTyped] = useState<string>()
  const wanted = typed?.trim() ?? step.id
  const refusal = wanted === step.id ? undefined : whyNot(wanted, stepIn(state.document, wanted))
  const said = problems.map(describeProblem)
  const commit = () => {
    if (refusal !== undefined) return
    setTyped(undefined)
    if (wanted === step.id) return
    editor.change({ what: `the id of ${nameOf(step)}` }, (document) => renameStep(document, step.id, wanted))
    onRenamed(wanted)
    editor.select([wanted])
    announce(`${step.id} is renamed to ${wanted}, with all references.`)
  }
  return (
    <div data-path="id">
      <TextInput
        label="ID"
        description="References follow a rename."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        classNames={{ input: fieldStyles['mono'] ?? '' }}
        value={typed ?? step.id}
        error={refusal ?? (said.length === 0 ? undefined : said.join(' '))}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={commit}
        onKeyDown={(press) => {
          if (press.key === 'Enter') commit()
          if (press.key !== 'Escape' || typed === undefined) return
          press.preventDefault()
          setTyped(undefined)
        }}
      />
    </div>
  )
}

/** Why an ID is not possible: the editor itself requires unique, non-empty IDs. The server validates the rest. */
function whyNot(id: string, holder: DraftStep | undefined): string | undefined {
  if (id === '') return 'Enter an ID.'
  return holder === undefined ? undefined : `Another step has the ID “${id}”.`
}

/** The ID and the type have special fields, besides those of the schema. */
const ownWays: readonly Field[] = ['id', 'type'].map((name) => ({
  name,
  description: '',
  isRequired: true,
  shape: { kind: 'text' },
}))

/** The step of the form, and the problems no field can show. */
function useStepSubject(step: DraftStep): {
  readonly subject: FormSubject
  readonly others: readonly FlowProblem[]
} {
  const { editor, state, problems } = useEditing()
  const { document } = state
  const known = useStepKnowledge(step)
  const fields = withUnknown(fieldsOfStep(step.type), step, new Set(['id', 'type']))
  const own = problemsOfStep(problems, document, step.id)
  const { byField, others } = placeProblems(own, [...ownWays, ...fields], step)
  const { asked } = state
  return {
    others,
    subject: {
      fields,
      value: step,
      step: known,
      FieldView: FormField,
      problems: byField,
      asked: asked && { ...asked, path: withinStep(document, asked.path) },
      change: (path, value, what) =>
        changeField(editor, step.id, { fields, path, value, what: `the ${what} of ${nameOf(step)}` }),
    },
  }
}

/** The paths fields of a step can use; memoised per flow. */
function useStepKnowledge(step: DraftStep): StepSubject {
  const { state, requiredInputs, sample, tried } = useEditing()
  const { document } = state
  return useMemo(() => {
    const outputs = new Map([...(tried?.steps ?? [])].map(([id, { made }]) => [id, made]))
    const known = { document, requiredInputs, sample, outputs }
    return {
      step,
      others: (placeOfStep(document, step.id)?.beside ?? []).filter(({ id }) => id !== step.id),
      begins: suggestionsFor(known, step.id),
      own: suggestionsOfOwn(known, step.id),
      outputFields: outputFields(known, step.id),
      memoryKeys: memoryKeys(allSteps(document.definition.steps)),
    }
  }, [step, document, requiredInputs, sample, tried])
}

interface FieldChange {
  readonly fields: readonly Field[]
  readonly path: JsonPath
  readonly value: Json | undefined
  readonly what: string
}

function changeField(editor: FlowEditor, id: string, { fields, path, value, what }: FieldChange): void {
  editor.change({ what, group: `${id} ${pathText(path)}` }, (document) => {
    const step = stepIn(document, id)
    if (step === undefined) return document
    const changed = value === undefined ? withoutAt(fields, step, path) : withValueAt(step, path, value)
    return setStepValue(document, id, [], changed)
  })
}
