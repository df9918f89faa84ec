import '../../../theme/mantine-form.css'
import '../../../theme/mantine-floating.css'
import { Button } from '@mantine/core'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { type RefObject, useEffect, useRef, useState } from 'react'
import formStyles from '../../../parts/Form.module.css'
import { focusable } from '../../../parts/use-focus-request.ts'
import { setFlowValue, setMetadataValue } from '../document/edits.ts'
import { nameOf, stepIn } from '../document/flow-document.ts'
import type { EditorState } from '../document/flow-editor.ts'
import { type Json, type JsonObject, type JsonPath, withValueAt } from '../document/json.ts'
import { createStepActions } from '../list/step-actions.ts'
import type { FlowProblem } from '../problems/problem.ts'
import { useEditing } from '../use-flow-editor.ts'
import { FormField } from './fields/FormField.tsx'
import { FormContext, type FormSubject } from './form-subject.ts'
import { OtherProblems } from './OtherProblems.tsx'
import styles from './Panel.module.css'
import { placeProblems } from './placed-problems.ts'
import { StepForm } from './StepForm.tsx'
import { withoutAt } from './schema/field-at.ts'
import { flowFields, metadataFields, withUnknown } from './schema/form-fields.ts'
import { isWithin, pathText, withinStep } from './schema/path-text.ts'
import type { Field } from './schema/shape.ts'

/** The form of the selection: a step, several steps, or the flow itself. */
export function Panel() {
  const { state } = useEditing()
  const root = useRef<HTMLDivElement>(null)
  useAskedFocus(root, state)
  // A renamed step keeps its form, so that the focused field stays focused.
  const [renamed, setRenamed] = useState<{ readonly first: string; readonly now: string }>()
  const [selected, ...others] = state.selected
  // Without a selection, the form is that of the open scope.
  const only = selected ?? state.scope ?? undefined
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
  // Another step may have taken the first name by now.
  return renamed?.first === id && renamed.now !== id ? `${id} again` : firstOf(id, renamed)
}

/** The path prefix of metadata problems. */
const metadataPrefix = 'metadata.'

/** Focuses the field of a requested path, or the nearest field around it. */
function useAskedFocus(root: RefObject<HTMLElement | null>, { asked, document }: EditorState): void {
  const seen = useRef(0)
  useEffect(() => {
    const form = root.current
    if (asked === null || asked.count === seen.current || form === null) return
    // On a narrow screen the form becomes visible one render later.
    if (form.getClientRects().length === 0) return
    seen.current = asked.count
    const wanted = withinStep(document, asked.path)
    const field = wanted.startsWith(metadataPrefix)
      ? nearestField(form.querySelector('[data-about]') ?? form, wanted.slice(metadataPrefix.length))
      : nearestField(form, wanted)
    const target = (field ?? form).querySelector<HTMLElement>(focusable)
    target?.scrollIntoView({ block: 'center' })
    target?.focus({ preventScroll: true })
  })
}

function nearestField(form: Element, path: string): HTMLElement | undefined {
  const around = [...form.querySelectorAll<HTMLElement>('[data-path]')].filter((field) =>
    isWithin(path, field.dataset['path'] ?? ''),
  )
  return around.toSorted(
    (one, other) => (other.dataset['path'] ?? '').length - (one.dataset['path'] ?? '').length,
  )[0]
}

/** The actions on several selected steps. */
function SeveralSelected({ ids, onRemoved }: { ids: readonly string[]; onRemoved: () => void }) {
  const editing = useEditing()
  const { editor, state } = editing
  const steps = ids.flatMap((id) => stepIn(state.document, id) ?? [])
  const count = `${steps.length} steps`
  return (
    <>
      <h2 className={styles['title']}>{count} selected</h2>
      <ul className={styles['several']} aria-label="Selected steps">
        {steps.map((step) => (
          <li key={step.id}>
            <Button size="compact-sm" variant="subtle" onClick={() => editor.select([step.id])}>
              {nameOf(step)}
            </Button>
          </li>
        ))}
      </ul>
      <p className={styles['note']}>
        <kbd>Ctrl</kbd> <kbd>C</kbd> copies them with their connections, also into another flow.
      </p>
      <div className={styles['foot']}>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconTrash size={14} aria-hidden />}
          onClick={() => {
            createStepActions(editing).remove(ids)
            onRemoved()
          }}
        >
          Remove {count}
        </Button>
      </div>
    </>
  )
}

const inMetadata = 'metadata.'

/** The settings and the metadata of the flow. */
function FlowForm() {
  const { editor, state, problems } = useEditing()
  const { asked, document } = state
  const { definition, metadata } = document

  const flowOf = withUnknown(flowFields, definition, new Set(['steps']))
  const flow = subjectOf(flowOf, definition, {
    problems: problems.filter(({ path }) => !isWithin(path, 'metadata') && !path.startsWith('steps[')),
    asked,
    change: (path, value, what) =>
      editor.change({ what: `the ${what} of the workflow`, group: `flow ${pathText(path)}` }, (it) =>
        setFlowValue(it, [], changed(flowOf, it.definition, path, value)),
      ),
  })

  const aboutOf = withUnknown(metadataFields, metadata, new Set(['layout']))
  const about = subjectOf(aboutOf, metadata, {
    problems: problems
      .filter(({ path }) => isWithin(path, 'metadata'))
      .map((problem) => ({ ...problem, path: problem.path.slice(inMetadata.length) })),
    asked:
      asked?.path.startsWith(inMetadata) === true
        ? { ...asked, path: asked.path.slice(inMetadata.length) }
        : null,
    change: (path, value, what) =>
      editor.change({ what: `the ${what} of the workflow`, group: `metadata ${pathText(path)}` }, (it) =>
        setMetadataValue(it, [], changed(aboutOf, it.metadata, path, value)),
      ),
  })

  return (
    <>
      <h2 className={styles['title']}>Workflow</h2>
      <OtherProblems problems={[...flow.others, ...about.others]} />
      <Fields subject={flow.subject} />
      <h2 className={styles['title']}>Metadata</h2>
      <div className={styles['about']} data-about>
        <Fields subject={about.subject} />
      </div>
    </>
  )
}

function Fields({ subject }: { subject: FormSubject }) {
  return (
    <FormContext value={subject}>
      {subject.fields.map((field) => (
        <FormField key={field.name} field={field} path={[field.name]} />
      ))}
    </FormContext>
  )
}

interface SubjectOptions extends Pick<FormSubject, 'asked' | 'change'> {
  readonly problems: readonly FlowProblem[]
}

function subjectOf(
  fields: readonly Field[],
  value: JsonObject,
  { problems, asked, change }: SubjectOptions,
): { readonly subject: FormSubject; readonly others: readonly FlowProblem[] } {
  const { byField, others } = placeProblems(problems, fields, value)
  return {
    subject: { fields, value, step: null, FieldView: FormField, problems: byField, asked, change },
    others,
  }
}

function changed<Value extends JsonObject>(
  fields: readonly Field[],
  held: Value,
  path: JsonPath,
  value: Json | undefined,
): Value {
  return value === undefined ? withoutAt(fields, held, path) : withValueAt(held, path, value)
}
