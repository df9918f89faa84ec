import type { FitViewOptions } from '@xyflow/react'
import type { DraftStep } from '../document/flow-document.ts'
import type { StepNodeType } from './draw-nodes.ts'
import { drawnId } from './drawn-id.ts'

/** More steps than this are not seen at once. */
export const mostWithoutMap = 30

/** All of a flow, or where nobody could read that, its beginning. */
export function fittingOf(steps: readonly DraftStep[]): FitViewOptions<StepNodeType> {
  const whole = { maxZoom: 1, padding: 0.1 }
  if (steps.length <= mostWithoutMap) return whole
  return { ...whole, minZoom: 0.4, nodes: steps.slice(0, 8).map(({ id }) => ({ id: drawnId(id) })) }
}
