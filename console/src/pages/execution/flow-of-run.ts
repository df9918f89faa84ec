import { useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import type { Trace } from '../executions/execution-queries.ts'
import { flowQuery, type WholeFlow } from '../workflows/flow-queries.ts'

/** The flow id prefix of test runs of drafts. No saved flow has such an id, so the execution links to no flow. */
const draftPrefix = 'draft:'

export function isDraft({ flow_id: flow }: Pick<Trace, 'flow_id'>): boolean {
  return flow.startsWith(draftPrefix)
}

/** The current version of the flow of an execution; undefined for a draft and a deleted flow, and while it is loading. */
export function useFlowOfRun(trace: Pick<Trace, 'flow_id'>): WholeFlow | undefined {
  return useQuery({ ...flowQuery(useApi(), { id: trace.flow_id }), enabled: !isDraft(trace), retry: false })
    .data
}
