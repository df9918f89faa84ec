import type { Database } from '#kernel/database'
import { engineFailure } from '../errors.ts'
import type { ExecutionInput, Priority } from '../execution/input.ts'
import type { NewExecution } from '../store/start-writer.ts'
import { readTargetVersion, type VersionChoice } from './flow-version.ts'

export interface Rerun {
  /** The id of the new execution. An existing execution with this id is returned unchanged. */
  readonly id: string
  /** The account that pays for it. */
  readonly accountId: string
  readonly version: VersionChoice
  /** Each given part takes the place of that part of the source. */
  readonly context?: ExecutionInput['context'] | undefined
  readonly memory?: ExecutionInput['memory'] | undefined
  readonly options?: ExecutionInput['options'] | undefined
}

type RerunStart = Omit<NewExecution, 'maxActive' | 'scheduleId' | 'triggerId' | 'lease'>

interface SourceRow {
  readonly flow_id: string
  readonly flow_version: number
  readonly priority: Priority
  readonly input: ExecutionInput
}

/**
 * Describes the execution that runs the flow of another one again from its first step, with the same input. Unlike a fork it reuses no
 * outcome, so the source may be in any state, and the version may be any. The changes that a recovery made to the source do not apply.
 * Throws `execution_not_found`, `flow_not_found` and `flow_disabled`.
 */
export async function prepareRerun(
  database: Pick<Database, 'query'>,
  sourceId: string,
  { id, accountId, version, context, memory, options }: Rerun,
): Promise<RerunStart> {
  const [source] = await database.query<SourceRow>(
    'select flow_id, flow_version, priority, input from engine_executions where id = $1',
    [sourceId],
  )
  if (source === undefined) {
    throw engineFailure('execution_not_found', { details: { execution_id: sourceId } })
  }
  const target = await readTargetVersion(database, source, version)
  const { recovery: _, ...input } = source.input
  return {
    id,
    accountId,
    flowId: source.flow_id,
    flowVersion: target.version,
    priority: source.priority,
    input: {
      ...input,
      context: context ?? input.context,
      memory: memory ?? input.memory,
      options: options ?? input.options,
    },
    needsApproval: target.metadata.approval_required === true,
    rerunOf: sourceId,
  }
}
