import { documentOf } from '../flow-editor/origin.ts'
import { contextReads } from '../flow-editor/try/context-reads.ts'
import type { WholeFlow } from '../workflows/flow-queries.ts'
import { inputOf } from './sample-context.ts'

type ReadFlow = Pick<WholeFlow, 'flow_definition' | 'metadata' | 'required_inputs'>

/** The sample input of a stored workflow: that of its author, else a value for everything the workflow reads. */
export function inputOfFlow(flow: ReadFlow): Readonly<Record<string, unknown>> {
  return inputOf(flow.metadata, [...contextReads(documentOf(flow)), ...flow.required_inputs])
}
