import { type ComponentType, createContext, useContext } from 'react'
import { setStepValue } from '../document/edits.ts'
import { type DraftStep, type FlowDocument, stepIn } from '../document/flow-document.ts'
import { type Json, type JsonObject, type JsonPath, valueAt } from '../document/json.ts'
import { stepKinds } from '../document/step-kinds.ts'
import type { FlowProblem } from '../problems/problem.ts'
import type { FieldProps } from './fields/field-props.ts'
import type { Suggestion } from './paths/suggestions.ts'
import { canHave } from './schema/form-fields.ts'
import type { Field } from './schema/shape.ts'

/** The subject of a form: a step, the flow, or its metadata. */
export interface FormSubject {
  readonly fields: readonly Field[]
  readonly value: JsonObject
  /** Null for forms that are not about a step. */
  readonly step: StepSubject | null
  /** Shows whatever field; those that hold others show them by it. */
  readonly FieldView: ComponentType<FieldProps>
  readonly problems: ReadonlyMap<string, readonly FlowProblem[]>
  /** A place inside whose field shall have the focus; counts, so that the same can be asked for again. */
  readonly asked: { readonly path: string; readonly count: number } | null
  /** Puts a value at a path; undefined takes it away. `what` is the field in words. */
  readonly change: (path: JsonPath, value: Json | undefined, what: string) => void
}

/** The paths fields of a step can use. */
export interface StepSubject {
  readonly step: DraftStep
  readonly others: readonly DraftStep[]
  /** Paths that are there when it begins. */
  readonly begins: readonly Suggestion[]
  /** Those of its own answer. */
  readonly own: readonly Suggestion[]
  /** The fields of its own answer. */
  readonly outputFields: readonly string[]
  /** Every key of the shared memory that any step writes. */
  readonly memoryKeys: readonly string[]
}

export const FormContext = createContext<FormSubject | null>(null)

export function useForm(): FormSubject {
  const subject = useContext(FormContext)
  if (subject === null) throw new Error('outside a form')
  return subject
}

/** The value at a place of the form. */
export function useValue(path: JsonPath): Json | undefined {
  return valueAt(useForm().value, path)
}

/** Makes a step one of another type: it keeps whatever that can have, and begins with what that needs. */
export function changeStepType(document: FlowDocument, id: string, type: string): FlowDocument {
  const step = stepIn(document, id)
  if (step === undefined || step.type === type) return document
  const kept = Object.fromEntries(Object.entries(step).filter(([name]) => canHave(type, name)))
  const beginsWith = stepKinds.find((kind) => kind.type === type)?.beginsWith ?? {}
  return setStepValue(document, id, [], { ...beginsWith, ...kept, id, type })
}

/** The display name of a step type. */
export function typeTitle(type: string): string {
  if (type === 'agent') return 'Use an agent'
  return stepKinds.find((kind) => kind.type === type)?.title ?? type
}
