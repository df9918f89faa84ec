import type { Place, Size } from '../../../graph/graph-layout.ts'
import type { DraftStep } from '../document/flow-document.ts'
import { branchesOf, plainHandle } from './branches.ts'

/** How steps are drawn, in numbers the style sheet follows: what is laid out and what is seen must agree. */
const width = 224
const headHeight = 56
const rowHeight = 24

/** Everything stands on this grid, so that a key moves a step by a step of it. */
export const grid = 8

export function sizeOf(step: DraftStep): Size {
  return { width, height: headHeight + branchesOf(step).length * rowHeight }
}

/** A handle as the canvas must know it to draw lines to steps that are out of sight. */
interface HandleShape {
  readonly id: string
  readonly type: 'source' | 'target'
  readonly position: 'top' | 'bottom' | 'left' | 'right'
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Lines arrive at the top, leave at the bottom, and those of branches at the side where they are going. */
export function handlesOf(
  step: DraftStep,
  sideOf: (handle: string) => 'left' | 'right',
): readonly HandleShape[] {
  const { height } = sizeOf(step)
  return [
    // Wherever on a step a line is dropped, it means the step.
    { id: 'before', type: 'target', position: 'top', x: 0, y: 0, width, height },
    { id: plainHandle, type: 'source', position: 'bottom', x: width / 2, y: height, width: 0, height: 0 },
    ...branchesOf(step).map(({ handle }, index): HandleShape => {
      const side = sideOf(handle)
      const y = headHeight + (index + 0.5) * rowHeight
      return {
        id: handle,
        type: 'source',
        position: side,
        x: side === 'left' ? 0 : width,
        y,
        width: 0,
        height: 0,
      }
    }),
  ]
}

export function onGrid({ x, y }: Place): Place {
  return { x: Math.round(x / grid) * grid, y: Math.round(y / grid) * grid }
}
