import type { Place } from '../../graph/graph-layout.ts'
import { emptyDocument, placesIn } from '../flow-editor/document/flow-document.ts'
import type { JsonObject } from '../flow-editor/document/json.ts'
import { stepsOf, type WholeFlow } from '../flows/flow-queries.ts'

/** Where the steps were put in the editor; undefined unless each of them was. */
export function keptPlaces(
  flow: Pick<WholeFlow, 'flow_definition' | 'metadata'>,
): ReadonlyMap<string, Place> | undefined {
  // Free in form as the interface describes it, and JSON as it comes.
  const places = placesIn({ ...emptyDocument, metadata: flow.metadata as JsonObject })
  return stepsOf(flow).every(({ id }) => places.has(id)) ? places : undefined
}
