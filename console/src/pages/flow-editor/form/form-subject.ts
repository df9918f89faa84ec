import { type ComponentType, createContext, useContext } from 'react'
import { setStepValue } from '../document/edits.ts'
import { type DraftStep, type FlowDocument, stepIn } from '../document/flow-document.ts'
import { type Json, type JsonObject, type JsonPath, valueAt } from '../document/json.ts'
import { newStep, stepKinds } from '../document/step-kinds.ts'
import type { FlowProblem } from '../problems/problem.ts'
import type { FieldProps } from './fields/field-props.ts'
import type { Suggestion } from './paths/suggestions.ts'
import { canHave } from './schema/form-fields.ts'
import type { Field } from './schema/shape.ts'

/** The subject of a form: a step, the flow, or its metadata. */
export interface FormSubject {
  readonly fields: readonly Field[]
  readonly value: JsonObject
  /** Null for the forms of the flow and its metadata. */
  readonly step: StepSubject | null
  /** Renders any field; group and list fields render their nested fields with it. */
  readonly FieldView: ComponentType<FieldProps>
  readonly problems: ReadonlyMap<string, readonly FlowProblem[]>
  /** The path whose field requests the focus; the count makes repeated requests distinct. */
  readonly asked: { readonly path: string; readonly count: number } | null
  /** Sets the value at a path; undefined removes it. `what` describes the field. */
  readonly change: (path: JsonPath, value: Json | undefined, what: string) => void
}

/** The paths fields of a step can use. */
export interface StepSubject {
  readonly step: DraftStep
  readonly others: readonly DraftStep[]
  /** The paths available when the step starts. */
  readonly begins: readonly Suggestion[]
  /** The paths of its own output. */
  readonly own: readonly Suggestion[]
  /** The fields of its own output. */
  readonly outputFields: readonly string[]
  /** Every key of the shared memory that steps write. */
  readonly memoryKeys: readonly string[]
}

export const FormContext = createContext<FormSubject | null>(null)

export function useForm(): FormSubject {
  const subject = useContext(FormContext)
  if (subject === null) throw new Error('outside a form')
  return subject
}

/** The value at a path of the form. */
export function useValue(path: JsonPath): Json | undefined {
  return valueAt(useForm().value, path)
}

/** Changes the type of a step: fields the new type allows are kept, and its required ones are added. */
export function changeStepType(document: FlowDocument, id: string, type: string): FlowDocument {
  const step = stepIn(document, id)
  if (step === undefined || step.type === type) return document
  const kept = Object.fromEntries(Object.entries(step).filter(([name]) => canHave(type, name)))
  const kind = stepKinds.find((it) => it.type === type)
  // The steps inside of a new container get IDs that are free.
  const begins = kind === undefined ? {} : newStep(kind, document.definition)
  return setStepValue(document, id, [], { ...begins, ...kept, id, type })
}

/** The display name of a step type. */
export function typeTitle(type: string): string {
  if (type === 'agent') return 'Use an agent'
  return stepKinds.find((kind) => kind.type === type)?.title ?? type
}
