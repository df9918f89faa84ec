import { isDeepStrictEqual } from 'node:util'
import { type Executor, runStatement } from '#kernel/work'
import type { FlowDefinition } from '../definition/flow.ts'
import type { Step } from '../definition/step-types.ts'
import { engineFailure } from '../errors.ts'
import { isDraft } from '../flows/drafts.ts'
import type { FlowMetadata } from '../flows/flow-metadata.ts'
import { requireEnabledById } from '../flows/flow-state.ts'
import { writtenDefinition } from '../flows/read-flows.ts'
import { readGraph } from '../graph/graph.ts'

/** Which version of its flow an execution continues or runs again with: its own, the newest, or a number. */
export type VersionChoice = 'same' | 'latest' | number

interface TargetVersion {
  readonly version: number
  readonly definition: FlowDefinition
  readonly metadata: FlowMetadata
}

/**
 * Reads the chosen version of the flow of an execution. Throws `flow_not_found` when the flow was deleted or has no such version, and
 * `flow_disabled`. An unsaved flow, which was only tried, has no other version than its own.
 */
export async function readTargetVersion(
  executor: Executor,
  { flow_id: flowId, flow_version: own }: { readonly flow_id: string; readonly flow_version: number },
  choice: VersionChoice,
): Promise<TargetVersion> {
  if (isDraft(flowId) && choice !== 'same' && choice !== own) {
    throw engineFailure('flow_not_found', {
      message: 'This flow was run without being saved, so it has no other version. Use version "same".',
    })
  }
  const [row] = await runStatement<TargetVersion>(
    executor,
    `
      select version.version, ${writtenDefinition}, version.metadata
      from engine_flows as flow
      join engine_flow_versions as version
        on version.flow_id = flow.id and version.version = coalesce($2, flow.current_version)
      where flow.id = $1 and (flow.deleted_at is null or $3)
    `,
    [flowId, choice === 'latest' ? null : choice === 'same' ? own : choice, isDraft(flowId)],
  )
  if (row !== undefined) {
    await requireEnabledById(executor, flowId)
    return row
  }
  const [flow] = await runStatement(
    executor,
    'select 1 from engine_flows where id = $1 and deleted_at is null',
    [flowId],
  )
  throw engineFailure('flow_not_found', {
    message:
      flow === undefined
        ? `The flow "${flowId}" was deleted, so it cannot be run again.`
        : `The flow "${flowId}" has no version ${choice}.`,
    details: { flow_id: flowId },
  })
}

/**
 * The steps of the newer version whose outcomes of the older version are still right: their definition is the same, they follow the
 * same steps, and that holds for every step before them.
 */
export function findUnchangedSteps(older: readonly Step[], newer: readonly Step[]): ReadonlySet<string> {
  const [before, after] = [readGraph(older), readGraph(newer)]
  const known = new Map<string, boolean>()

  function isUnchanged(id: string): boolean {
    const remembered = known.get(id)
    if (remembered !== undefined) return remembered
    const [oldNode, newNode] = [before.byId.get(id), after.byId.get(id)]
    const unchanged =
      oldNode !== undefined &&
      newNode !== undefined &&
      isDeepStrictEqual(before.steps.get(id), after.steps.get(id)) &&
      isDeepStrictEqual(new Set(oldNode.after), new Set(newNode.after)) &&
      [...newNode.after].every(isUnchanged)
    known.set(id, unchanged)
    return unchanged
  }

  return new Set(newer.map(({ id }) => id).filter(isUnchanged))
}

/** The step of the flow that an outcome belongs to: the first part of its step path. */
export function topStepOf({ stepId }: { readonly stepId: string }): string {
  return stepId.split('/', 1)[0] ?? stepId
}
