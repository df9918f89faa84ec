import { redactCredentials } from '../definition/credentials.ts'
import type { FlowDefinition } from '../definition/flow.ts'
import type { FlowMetadata } from './flow-metadata.ts'

/** One version of a flow. It never changes. */
interface FlowVersion {
  readonly flowId: string
  /** From 1, one more for each save. */
  readonly version: number
  readonly definition: FlowDefinition
  readonly metadata: FlowMetadata
  /** The account that saved it; null for built-in flows. */
  readonly createdBy: string | null
  /** What changed, in the author's words. */
  readonly note: string | null
  readonly createdAt: Date
}

/** A flow with one of its versions. */
export interface Flow extends FlowVersion {
  /** The version that runs by default. */
  readonly currentVersion: number
  /** The account that created it; null for built-in flows. */
  readonly ownerId: string | null
  /** Built-in flows can neither be changed nor deleted. */
  readonly builtIn: boolean
  readonly flowCreatedAt: Date
  readonly flowUpdatedAt: Date
}

export interface FlowRow {
  readonly flow_id: string
  readonly version: number
  readonly definition: FlowDefinition
  readonly metadata: FlowMetadata
  readonly created_by: string | null
  readonly note: string | null
  readonly created_at: Date
  readonly current_version: number
  readonly owner_id: string | null
  readonly built_in: boolean
  readonly flow_created_at: Date
  readonly flow_updated_at: Date
}

/** The columns of a FlowRow, from `flow` and `version`. */
export const flowColumns = `
  version.flow_id, version.version, version.definition, version.metadata, version.created_by, version.note, version.created_at,
  flow.current_version, flow.owner_id, flow.built_in, flow.created_at as flow_created_at, flow.updated_at as flow_updated_at
`

/** The flow with credentials redacted. Only executions and saving read credentials, with statements of their own. */
export function toFlow(row: FlowRow): Flow {
  return {
    flowId: row.flow_id,
    version: row.version,
    definition: redactCredentials(row.definition),
    metadata: row.metadata,
    createdBy: row.created_by,
    note: row.note,
    createdAt: row.created_at,
    currentVersion: row.current_version,
    ownerId: row.owner_id,
    builtIn: row.built_in,
    flowCreatedAt: row.flow_created_at,
    flowUpdatedAt: row.flow_updated_at,
  }
}
