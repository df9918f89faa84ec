import {
  BaseEdge,
  type ConnectionLineComponentProps,
  EdgeLabelRenderer,
  type EdgeProps,
  getBezierPath,
  useInternalNode,
} from '@xyflow/react'
import { memo, useContext } from 'react'
import type { DraftEdge } from '../document/edges.ts'
import { useEditing } from '../use-flow-editor.ts'
import { plainHandle } from './branches.ts'
import { CanvasActionsContext } from './canvas-actions.ts'
import { refusalOf, roleInOption, withOtherRole } from './connections.ts'
import { pointAsLowAs, type StepEdgeType } from './draw-edges.ts'
import type { StepNodeType } from './draw-nodes.ts'
import { readDrawnId } from './drawn-id.ts'
import styles from './StepEdge.module.css'

/** The distance of an edge label below its step, which puts it between two rows of steps. */
const labelBelow = 20

/** An edge between two steps. */
export const StepEdge = memo(function StepEdge(props: EdgeProps<StepEdgeType>) {
  const { id, label, markerEnd, interactionWidth, data } = props
  const [path] = getBezierPath(props)
  const from = useInternalNode(props.source)
  const bottom = (from?.internals.positionAbsolute.y ?? 0) + (from?.measured.height ?? 0)
  const { x: labelX, y: labelY } = pointAsLowAs(path, bottom + labelBelow)
  return (
    <>
      <BaseEdge
        id={id}
        path={path}
        label={label}
        labelX={labelX}
        labelY={labelY}
        labelBgPadding={[4, 2]}
        labelBgBorderRadius={4}
        interactionWidth={interactionWidth ?? 20}
        {...(markerEnd === undefined ? {} : { markerEnd })}
      />
      {data?.isLoneSelection === true ? (
        <EdgeLabelRenderer>
          <div
            className={`${styles['tools']} nodrag nopan`}
            style={{ transform: `translate(-50%, 12px) translate(${labelX}px, ${labelY}px)` }}
          >
            <EdgeTools edge={data.edge} />
          </div>
        </EdgeLabelRenderer>
      ) : null}
    </>
  )
})

const roleWords = {
  'goes on': {
    action: 'Add step',
    title: 'The option then adds this step, which runs only when added',
  },
  adds: {
    action: 'Continue with step',
    title: 'The option then continues with this step and skips the others',
  },
}

function EdgeTools({ edge }: { edge: DraftEdge }) {
  const actions = useContext(CanvasActionsContext)
  return (
    <>
      <OtherRole edge={edge} />
      <button type="button" onClick={() => actions?.removeEdge(edge)}>
        Remove connection
      </button>
    </>
  )
}

/**
 * For the edge of a routing option: a button that switches between its two roles (continue with the step, or add it).
 */
function OtherRole({ edge }: { edge: DraftEdge }) {
  const actions = useContext(CanvasActionsContext)
  const { document } = useEditing().state
  const role = roleInOption(edge)
  if (role === null) return null
  const { action, title } = roleWords[role]
  const isCircle = withOtherRole(document, edge) === document
  return (
    <button
      type="button"
      aria-disabled={isCircle}
      title={isCircle ? 'This would create a cycle' : title}
      onClick={() => {
        if (!isCircle) actions?.switchRole(edge)
      }}
    >
      {action}
    </button>
  )
}

/** The edge while it is being drawn. An invalid target shows its reason. */
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
