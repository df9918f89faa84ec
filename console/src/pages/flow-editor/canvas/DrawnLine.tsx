import { type ConnectionLineComponentProps, getBezierPath } from '@xyflow/react'
import { useEditing } from '../use-flow-editor.ts'
import { plainHandle } from './branches.ts'
import { refusalOf } from './connections.ts'
import styles from './DrawnLine.module.css'
import type { StepNodeType } from './draw-nodes.ts'
import { readDrawnId } from './drawn-id.ts'

/** The line that is being drawn. Where it cannot end it says why. */
export function DrawnLine(props: ConnectionLineComponentProps<StepNodeType>) {
  const { fromX, fromY, fromPosition, toX, toY, toPosition, fromNode, fromHandle, toNode } = props
  const { document } = useEditing().state
  const [path] = getBezierPath({
    sourceX: fromX,
    sourceY: fromY,
    sourcePosition: fromPosition,
    targetX: toX,
    targetY: toY,
    targetPosition: toPosition,
  })
  const isRefused =
    toNode !== null &&
    toNode.id !== fromNode.id &&
    refusalOf(document, {
      from: readDrawnId(fromNode.id),
      handle: fromHandle.id ?? plainHandle,
      to: readDrawnId(toNode.id),
    }) !== null
  return (
    <g data-refused={isRefused}>
      <path className={styles['line']} d={path} />
      {isRefused ? (
        <text className={styles['word']} x={toX} y={toY - 12} textAnchor="middle">
          This would create a cycle.
        </text>
      ) : null}
    </g>
  )
}
