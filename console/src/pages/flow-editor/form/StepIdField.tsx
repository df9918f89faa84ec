import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { describeProblem } from '../../../parts/describe-problem.ts'
import { renameStep } from '../document/edits.ts'
import { type DraftStep, nameOf, stepIn } from '../document/flow-document.ts'
import type { FlowProblem } from '../problems/problem.ts'
import { useEditing } from '../use-flow-editor.ts'
import fieldStyles from './fields/fields.module.css'

interface StepIdFieldProps {
  readonly step: DraftStep
  readonly problems: readonly FlowProblem[]
  readonly onRenamed: (id: string) => void
}

/** What the flow calls a step. It counts on Enter and on leaving, also wherever the step is named. */
export function StepIdField({ step, problems, onRenamed }: StepIdFieldProps) {
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
    announce(`${step.id} is ${wanted} now, wherever it is named.`)
  }
  return (
    <div data-path="id">
      <TextInput
        label="ID"
        description="Names the step inside its flow. Other steps that name it follow."
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

/** Why a step cannot have an id: the editor itself needs each to be there once. All else the platform says. */
function whyNot(id: string, holder: DraftStep | undefined): string | undefined {
  if (id === '') return 'A step needs an id.'
  return holder === undefined ? undefined : `“${id}” is the id of another step.`
}
