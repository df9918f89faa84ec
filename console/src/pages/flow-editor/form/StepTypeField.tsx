import { NativeSelect } from '@mantine/core'
import { describeProblem } from '../../../parts/describe-problem.ts'
import { type DraftStep, nameOf } from '../document/flow-document.ts'
import type { FlowProblem } from '../problems/problem.ts'
import { useEditing } from '../use-flow-editor.ts'
import { changeStepType, typeTitle } from './change-type.ts'
import { stepTypes } from './schema/form-fields.ts'

/** What kind of step it is. Another kind keeps whatever it can have. */
export function StepTypeField({ step, problems }: { step: DraftStep; problems: readonly FlowProblem[] }) {
  const { editor } = useEditing()
  const types = stepTypes.includes(step.type) ? stepTypes : [...stepTypes, step.type]
  const said = problems.map(describeProblem)
  return (
    <div data-path="type">
      <NativeSelect
        label="Type"
        description="Another type keeps the fields it has as well; undo brings the others back."
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
