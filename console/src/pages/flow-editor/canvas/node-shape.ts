import type { Place, Size } from '../../../graph/graph-layout.ts'
import type { DraftStep } from '../document/flow-document.ts'
import { isContainer } from '../document/step-kinds.ts'
import { branchesOf, errorBranch, plainHandle } from './branches.ts'

/** The sizes of steps. The style sheet repeats them: layout and rendering must agree. */
const width = 224
const headHeight = 56
const rowHeight = 24

/** Positions snap to this grid, so that an arrow key moves a step by one cell. */
export const grid = 8

export function sizeOf(step: DraftStep): Size {
  return { width, height: headHeight + (rowsAbove(step) + branchesOf(step).length) * rowHeight }
}

/** The rows above the branches: a container has one for its steps. */
function rowsAbove(step: DraftStep): number {
  return isContainer(step) ? 1 : 0
}

/** A handle in the form React Flow needs to draw edges to steps outside of the viewport. */
interface HandleShape {
  readonly id: string
  readonly type: 'source' | 'target'
  readonly position: 'top' | 'bottom' | 'left' | 'right'
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Edges arrive at the top and leave at the bottom; those of branches leave at the side of their target. */
export function handlesOf(
  step: DraftStep,
  sideOf: (handle: string) => 'left' | 'right',
): readonly HandleShape[] {
  const { height } = sizeOf(step)
  return [
    // An edge can be dropped anywhere on a step.
    { id: 'before', type: 'target', position: 'top', x: 0, y: 0, width, height },
    { id: plainHandle, type: 'source', position: 'bottom', x: width / 2, y: height, width: 0, height: 0 },
    ...branchesOf(step).map(({ handle }, index): HandleShape => {
      const side = sideOf(handle)
      const y = headHeight + (rowsAbove(step) + index + 0.5) * rowHeight
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
    ...(hasErrorBranch(step)
      ? []
      : [
          {
            id: errorBranch.handle,
            type: 'source',
            position: 'right',
            x: width,
            y: headHeight / 2,
            width: 0,
            height: 0,
          } as const,
        ]),
  ]
}

/** Whether a step has a row for its failure. Other steps have only the handle, beside their name. */
export function hasErrorBranch(step: DraftStep): boolean {
  return branchesOf(step).some(({ handle }) => handle === errorBranch.handle)
}

export function onGrid({ x, y }: Place): Place {
  return { x: Math.round(x / grid) * grid, y: Math.round(y / grid) * grid }
}
