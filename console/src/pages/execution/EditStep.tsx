import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../api/use-may.ts'
import type { Trace } from '../executions/execution-queries.ts'
import type { EditorSearch } from '../flow-editor/editor-search.ts'
import { useFlowOfRun } from './flow-of-run.ts'

/** The step of the editor to open, and the execution whose input and outputs it shows. */
interface StepInEditor {
  step: string
  run: string
}

interface EditStepProps {
  readonly trace: Trace
  /** The step, or its path inside a container. */
  readonly step: string
  readonly isMain?: boolean
}

/** Opens the editor at a step; of a built-in workflow, the editor of a copy. */
export function EditStep({ trace, step, isMain = false }: EditStepProps) {
  const flow = useFlowOfRun(trace)
  const mayManage = useMay('manage workflows')
  if (flow === undefined || !mayManage) return null
  // Ids are unique in the whole workflow, also inside containers.
  const search: EditorSearch & StepInEditor = {
    step: step.split('/').at(-1) ?? step,
    run: trace.execution_id,
  }
  return (
    <Button
      size="compact-sm"
      variant={isMain ? 'filled' : 'default'}
      renderRoot={(props) =>
        flow.built_in ? (
          <Link to="/workflows/new" search={{ ...search, from: flow.id }} {...props} />
        ) : (
          <Link to="/workflows/$flow/edit" params={{ flow: flow.id }} search={search} {...props} />
        )
      }
    >
      {flow.built_in ? 'Edit a copy' : 'Edit this step'}
    </Button>
  )
}
