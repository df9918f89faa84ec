import { setFlowValue, setMetadataValue } from '../document/edits.ts'
import { type Json, type JsonObject, type JsonPath, withValueAt } from '../document/json.ts'
import type { FlowProblem } from '../problems/problem.ts'
import { useEditing } from '../use-flow-editor.ts'
import { FormField } from './fields/FormField.tsx'
import { FormContext, type FormSubject } from './form-subject.ts'
import { OtherProblems } from './OtherProblems.tsx'
import styles from './Panel.module.css'
import { placeProblems } from './placed-problems.ts'
import { withoutAt } from './schema/field-at.ts'
import { flowFields, metadataFields, withUnknown } from './schema/form-fields.ts'
import { isWithin, pathText } from './schema/path-text.ts'
import type { Field } from './schema/shape.ts'

const inMetadata = 'metadata.'

/** What the flow is called, how it runs, and what people know about it. */
export function FlowForm() {
  const { editor, state, problems } = useEditing()
  const { asked, document } = state
  const { definition, metadata } = document

  const flowOf = withUnknown(flowFields, definition, new Set(['steps']))
  const flow = subjectOf(flowOf, definition, {
    problems: problems.filter(({ path }) => !isWithin(path, 'metadata') && !path.startsWith('steps[')),
    asked,
    change: (path, value, what) =>
      editor.change({ what: `the ${what} of the flow`, group: `flow ${pathText(path)}` }, (it) =>
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
      editor.change({ what: `the ${what} of the flow`, group: `metadata ${pathText(path)}` }, (it) =>
        setMetadataValue(it, [], changed(aboutOf, it.metadata, path, value)),
      ),
  })

  return (
    <>
      <h2 className={styles['title']}>Flow</h2>
      <OtherProblems problems={[...flow.others, ...about.others]} />
      <Fields subject={flow.subject} />
      <h2 className={styles['title']}>About it</h2>
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
