import type { WholeFlow } from '../workflows/flow-queries.ts'
import { emptyDocument, type FlowDocument, readDefinition } from './document/flow-document.ts'
import type { Json, JsonObject } from './document/json.ts'

/** The flow that the editor opened with. */
export interface Origin {
  /** The edited flow; null for a new one. */
  readonly flow: string | null
  /** The revision that the changes are based on; null for a new flow. */
  readonly revision: number | null
  /** The flow that a new one is a copy of; null without one. */
  readonly copyOf: string | null
  readonly document: FlowDocument
}

export const newFlow: Origin = { flow: null, revision: null, copyOf: null, document: emptyDocument }

/** The origin for editing a stored flow. */
export function originOf({ id, revision, ...flow }: WholeFlow): Origin {
  return { flow: id, revision, copyOf: null, document: documentOf(flow) }
}

/** The origin of a deleted flow, of which only the ID is left. */
export function deletedFlow(id: string, revision: number | null): Origin {
  const { definition, metadata } = emptyDocument
  return { flow: id, revision, copyOf: null, document: { definition: { ...definition, id }, metadata } }
}

/** The origin of a new flow that starts as a copy. */
export function copyOf({ id, label, ...flow }: WholeFlow): Origin {
  const { definition, metadata } = documentOf(flow)
  // A copy of a sample is a flow like any other.
  const { created_by: _, sample, ...known } = metadata
  const { version: __, category, ...copied } = definition
  const keepsCategory = category !== undefined && sample !== true
  return {
    flow: null,
    revision: null,
    copyOf: id,
    document: {
      definition: {
        ...copied,
        ...(keepsCategory && { category }),
        id: `${id.slice(0, 59)}-copy`,
        label: `Copy of ${label}`.slice(0, 200),
        steps: definition.steps,
      },
      metadata: known,
    },
  }
}

/** The document of a stored flow. */
export function documentOf({
  flow_definition: definition,
  metadata,
}: Pick<WholeFlow, 'flow_definition' | 'metadata'>): FlowDocument {
  // The API schema declares both as free-form objects; the response has parsed JSON.
  const read = readDefinition(definition as Json)
  if (!('steps' in read)) throw new Error(`The stored workflow is not valid: ${read.problem}`)
  return { definition: read, metadata: metadata as JsonObject }
}
