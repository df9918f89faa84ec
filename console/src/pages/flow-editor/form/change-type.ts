import { setStepValue } from '../document/edits.ts'
import { type FlowDocument, stepIn } from '../document/flow-document.ts'
import { stepKinds } from '../document/step-kinds.ts'
import { canHave } from './schema/form-fields.ts'

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
