import { useMemo } from 'react'
import { setStepValue } from '../document/edits.ts'
import { type DraftStep, nameOf, stepIn } from '../document/flow-document.ts'
import type { FlowEditor } from '../document/flow-editor.ts'
import { type Json, type JsonPath, withValueAt } from '../document/json.ts'
import { type FlowProblem, problemsOfStep } from '../problems/problem.ts'
import { useEditing } from '../use-flow-editor.ts'
import { FormField } from './fields/FormField.tsx'
import type { FormSubject, StepSubject } from './form-subject.ts'
import { memoryKeys, outputFields, suggestionsFor, suggestionsOfOwn } from './paths/suggestions.ts'
import { placeProblems } from './placed-problems.ts'
import { withoutAt } from './schema/field-at.ts'
import { fieldsOfStep, withUnknown } from './schema/form-fields.ts'
import { pathText } from './schema/path-text.ts'
import type { Field } from './schema/shape.ts'
import { withinStep } from './within-step.ts'

/** These have fields of their own, beside those of the schema. */
const ownWays: readonly Field[] = ['id', 'type'].map((name) => ({
  name,
  description: '',
  isRequired: true,
  shape: { kind: 'text' },
}))

/** What the form of a step is about, and the problems that no field of it can show. */
export function useStepSubject(step: DraftStep): {
  readonly subject: FormSubject
  readonly others: readonly FlowProblem[]
} {
  const { editor, state, problems } = useEditing()
  const { definition } = state.document
  const known = useStepKnowledge(step)
  const fields = withUnknown(fieldsOfStep(step.type), step, new Set(['id', 'type']))
  const own = problemsOfStep(problems, definition.steps, step.id)
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
      asked: asked && { ...asked, path: withinStep(definition.steps, asked.path) },
      change: (path, value, what) =>
        changeField(editor, step.id, { fields, path, value, what: `the ${what} of ${nameOf(step)}` }),
    },
  }
}

/** What fields of a step can refer to; the same for as long as the flow is. */
function useStepKnowledge(step: DraftStep): StepSubject {
  const { state, requiredInputs, sample, tried } = useEditing()
  const { document } = state
  return useMemo(() => {
    const { steps } = document.definition
    const outputs = new Map([...(tried?.steps ?? [])].map(([id, { made }]) => [id, made]))
    const known = { document, requiredInputs, sample, outputs }
    return {
      step,
      others: steps.filter(({ id }) => id !== step.id),
      begins: suggestionsFor(known, step.id),
      own: suggestionsOfOwn(known, step.id),
      outputFields: outputFields(known, step.id),
      memoryKeys: memoryKeys(steps),
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
