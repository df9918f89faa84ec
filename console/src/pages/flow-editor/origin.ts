import type { WholeFlow } from '../flows/flow-queries.ts'
import { emptyDocument, type FlowDocument, readDefinition } from './document/flow-document.ts'
import type { Json, JsonObject } from './document/json.ts'

/** What the editor began with. */
export interface Origin {
  /** The flow that is changed; null for a new one. */
  readonly flow: string | null
  /** The revision that the changes are made on; null for a new flow. */
  readonly revision: number | null
  /** The flow that a new one began as a copy of; null for one from nothing. */
  readonly copyOf: string | null
  readonly document: FlowDocument
}

export const newFlow: Origin = { flow: null, revision: null, copyOf: null, document: emptyDocument }

/** A flow that is to be changed. */
export function originOf({ id, revision, ...flow }: WholeFlow): Origin {
  return { flow: id, revision, copyOf: null, document: documentOf(flow) }
}

/** A deleted flow, of which only the ID is left. */
export function deletedFlow(id: string, revision: number | null): Origin {
  const { definition, metadata } = emptyDocument
  return { flow: id, revision, copyOf: null, document: { definition: { ...definition, id }, metadata } }
}

/** A new flow that begins as a copy. */
export function copyOf({ id, label, ...flow }: WholeFlow): Origin {
  const { definition, metadata } = documentOf(flow)
  const { version: _, ...copied } = definition
  const { created_by: __, ...known } = metadata
  return {
    flow: null,
    revision: null,
    copyOf: id,
    document: {
      definition: {
        ...copied,
        id: `${id.slice(0, 59)}-copy`,
        label: `Copy of ${label}`.slice(0, 200),
        steps: definition.steps,
      },
      metadata: known,
    },
  }
}

function documentOf({
  flow_definition: definition,
  metadata,
}: Pick<WholeFlow, 'flow_definition' | 'metadata'>): FlowDocument {
  // Both are free in form as the interface describes them, and JSON as they come.
  const read = readDefinition(definition as Json)
  if (!('steps' in read)) throw new Error(`The stored flow is not valid: ${read.problem}`)
  return { definition: read, metadata: metadata as JsonObject }
}
