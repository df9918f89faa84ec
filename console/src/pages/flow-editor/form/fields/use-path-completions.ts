import type { Completion } from '../../../../parts/CompletingInput.tsx'
import type { JsonPath } from '../../document/json.ts'
import { useForm } from '../form-subject.ts'
import { sourceFields, suggestionsAt } from '../paths/suggestions-at.ts'
import { roleAt } from '../schema/roles.ts'

export function usePathCompletions(path: JsonPath): readonly Completion[] {
  const { step } = useForm()
  if (step === null) return []
  const role = roleAt(path)
  if (role === 'output field') {
    return step.outputFields.map((value) => ({ value, about: 'in the output of the last test run' }))
  }
  const suggestions =
    role === 'source field'
      ? sourceFields(step.step, path, step.begins)
      : suggestionsAt(step.step, path, step)
  return suggestions.map(({ path: value, from: about }) => ({ value, about }))
}
