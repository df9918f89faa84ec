import { type Node, Position } from '@xyflow/react'
import type { Place } from '../../../graph/graph-layout.ts'
import { describeStepType, stepWords } from '../../executions/execution-words.ts'
import { countSteps } from '../document/count-steps.ts'
import type { DraftEdge } from '../document/edges.ts'
import { type DraftStep, nameOf } from '../document/flow-document.ts'
import { isContainer } from '../document/step-kinds.ts'
import type { TriedStep } from '../try/try-run.ts'
import { type Branch, branchesOf } from './branches.ts'
import { handleOfEdge } from './draw-edges.ts'
import { drawnId } from './drawn-id.ts'
import { handlesOf, sizeOf } from './node-shape.ts'

export type ProblemCounts = {
  readonly errors: number
  readonly warnings: number
}

/** The visible data of a step. */
export type StepNodeData = {
  readonly step: DraftStep
  readonly branches: readonly (Branch & { readonly side: 'left' | 'right' })[]
  readonly isDormant: boolean
  readonly isLast: boolean
  readonly tried: TriedStep | undefined
} & ProblemCounts

export type StepNodeType = Node<StepNodeData, 'step'>

interface NodesOptions {
  readonly steps: readonly DraftStep[]
  readonly edges: readonly DraftEdge[]
  readonly places: ReadonlyMap<string, Place>
  readonly selected: readonly string[]
  readonly dormant: ReadonlySet<string>
  readonly problems: ReadonlyMap<string, ProblemCounts>
  readonly tried: ReadonlyMap<string, TriedStep> | undefined
  /** The nodes of the last drawing: an unchanged step keeps its node object and is not rendered again. */
  readonly drawn: WeakMap<DraftStep, StepNodeType>
}

const noProblems: ProblemCounts = { errors: 0, warnings: 0 }

export function drawNodes(options: NodesOptions): StepNodeType[] {
  const { steps, edges, places, selected, dormant, problems, tried, drawn } = options
  const leaving = Map.groupBy(edges, ({ from }) => from)
  const chosen = new Set(selected)
  return steps.map((step): StepNodeType => {
    const lines = leaving.get(step.id) ?? []
    const sides = sidesOf(step.id, lines, places)
    const sideOf = (handle: string) => sides.get(handle) ?? 'right'
    const data: StepNodeData = {
      step,
      branches: branchesOf(step).map((branch) => ({ ...branch, side: sideOf(branch.handle) })),
      isDormant: dormant.has(step.id),
      isLast: lines.length === 0,
      tried: tried?.get(step.id),
      ...(problems.get(step.id) ?? noProblems),
    }
    const isSelected = chosen.has(step.id)
    const position = places.get(step.id) ?? { x: 0, y: 0 }
    const before = drawn.get(step)
    if (before !== undefined && looksSame(before, { position, selected: isSelected, data })) return before
    const size = sizeOf(step)
    const node: StepNodeType = {
      id: drawnId(step.id),
      type: 'step',
      position,
      data,
      ...size,
      // Sizes are computed, not measured, so that edges to steps outside of the viewport are drawn and no node is
      // measured twice.
      measured: size,
      handles: handlesOf(step, sideOf).map((handle) => ({ ...handle, position: positions[handle.position] })),
      selected: isSelected,
      ariaLabel: describeNode(data, isSelected),
    }
    drawn.set(step, node)
    return node
  })
}

/** Compares two drawings of the same step. */
function looksSame(left: StepNodeType, right: Pick<StepNodeType, 'position' | 'selected' | 'data'>): boolean {
  return (
    left.position.x === right.position.x &&
    left.position.y === right.position.y &&
    left.selected === right.selected &&
    isSameShown(left.data, right.data)
  )
}

/** Whether two versions of a step look the same. */
export function isSameShown(left: StepNodeData, right: StepNodeData): boolean {
  return (
    left.step === right.step &&
    left.isDormant === right.isDormant &&
    left.isLast === right.isLast &&
    left.tried === right.tried &&
    left.errors === right.errors &&
    left.warnings === right.warnings &&
    left.branches.every(({ side }, index) => side === right.branches[index]?.side)
  )
}

const positions = { top: Position.Top, bottom: Position.Bottom, left: Position.Left, right: Position.Right }

/** The edges of a branch leave on the side of most of their targets. */
function sidesOf(
  id: string,
  lines: readonly DraftEdge[],
  places: ReadonlyMap<string, Place>,
): ReadonlyMap<string, 'left' | 'right'> {
  const own = places.get(id)?.x ?? 0
  const byHandle = Map.groupBy(lines, handleOfEdge)
  return new Map(
    [...byHandle].map(([handle, same]) => {
      const shift = same.reduce((sum, { to }) => sum + (places.get(to)?.x ?? own) - own, 0)
      return [handle, shift < 0 ? 'left' : 'right'] as const
    }),
  )
}

function describeNode(data: StepNodeData, isSelected: boolean): string {
  const { step, errors, warnings, isDormant, tried } = data
  return [
    nameOf(step),
    describeStepType(step.type),
    ...(isContainer(step) ? [countSteps(step)] : []),
    ...(isDormant ? ['only when added'] : []),
    ...describeProblems({ errors, warnings }),
    ...(tried === undefined ? [] : [stepWords[tried.state].word]),
    ...(isSelected ? ['selected'] : []),
  ].join(', ')
}

export function describeProblems({ errors, warnings }: ProblemCounts): string[] {
  return [
    ...(errors === 0 ? [] : [errors === 1 ? '1 error' : `${errors} errors`]),
    ...(warnings === 0 ? [] : [warnings === 1 ? '1 warning' : `${warnings} warnings`]),
  ]
}
