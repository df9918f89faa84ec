import '@xyflow/react/dist/base.css'
import {
  Background,
  BaseEdge,
  Controls,
  type Edge,
  type EdgeProps,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Position,
  ReactFlow,
} from '@xyflow/react'
import { memo, useMemo } from 'react'
import { describeStepType, stepWords } from '../pages/executions/execution-words.ts'
import { Status } from '../parts/Status.tsx'
import {
  type DrawnEdge,
  drawRoute,
  joinEdges,
  layOutWithRoutes,
  nodeSize,
  type Place,
} from './graph-layout.ts'
import styles from './StepGraph.module.css'

/** The fields of a step that the graph draws. */
interface DrawnStep {
  readonly step_id: string
  readonly step_type: string
  readonly label: string | null
  readonly on_demand: boolean
  /** Absent in a flow that has not run. */
  readonly state?: keyof typeof stepWords
}

interface StepGraphProps {
  readonly steps: readonly DrawnStep[]
  readonly edges: readonly DrawnEdge[]
  /** The positions the user gave the steps; without them the layout is computed. */
  readonly kept?: ReadonlyMap<string, Place> | undefined
  readonly selected?: string | undefined
  readonly onSelect?: ((step: string) => void) | undefined
}

type StepNodeType = Node<{ readonly step: DrawnStep }, 'step'>

type RoutedEdgeType = Edge<{ readonly route: readonly Place[] }, 'routed'>

const nodeTypes = { step: memo(StepNode) }
const edgeTypes = { routed: memo(RoutedEdge) }

/** Draws steps and the edges between them. In a run, edges that were not taken are faint. */
export default function StepGraph({ steps, edges, kept, selected, onSelect }: StepGraphProps) {
  // The layout depends on the shape alone, so that a change of state does not compute it again.
  const shape = JSON.stringify({
    steps: steps.map(({ step_id }) => ({ step_id })),
    edges: edges.map(({ from, to }) => ({ from, to })),
  })
  const { places, routes } = useMemo(() => {
    if (kept !== undefined) return { places: kept, routes: undefined }
    const read = JSON.parse(shape) as Pick<StepGraphProps, 'steps' | 'edges'>
    return layOutWithRoutes(read.steps, read.edges)
  }, [shape, kept])
  const nodes = useMemo(
    () =>
      steps.map(
        (step): StepNodeType => ({
          id: step.step_id,
          type: 'step',
          position: places.get(step.step_id) ?? { x: 0, y: 0 },
          data: { step },
          ...nodeSize,
          selected: step.step_id === selected,
          ariaLabel: describeNode(step),
        }),
      ),
    [steps, places, selected],
  )
  const lines = useMemo(
    () => joinEdges(edges).map((edge) => lineOf(edge, routes?.get(edge.id))),
    [edges, routes],
  )
  return (
    <div className={styles['graph']}>
      <ReactFlow
        nodes={nodes}
        edges={lines}
        nodeTypes={nodeTypes}
        edgeTypes={edgeTypes}
        onNodeClick={(_event, { id }) => onSelect?.(id)}
        nodesDraggable={false}
        nodesConnectable={false}
        nodesFocusable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        deleteKeyCode={null}
        zoomOnScroll={false}
        preventScrolling={false}
        minZoom={0.1}
        maxZoom={1.5}
        fitView
        fitViewOptions={{ maxZoom: 1, padding: 0.1 }}
        onlyRenderVisibleElements={steps.length > 100}
        proOptions={{ hideAttribution: true }}
        aria-label="Graph of the steps"
      >
        <Background gap={16} />
        <Controls showInteractive={false} />
      </ReactFlow>
    </div>
  )
}

function describeNode({ step_id, label, state }: DrawnStep): string {
  const name = label ?? step_id
  return state === undefined ? name : `${name}, ${stepWords[state].word}`
}

/** Without a route, between steps that the user placed, the edge takes the shortest way. */
function lineOf(
  { id, from, to, label, taken }: ReturnType<typeof joinEdges>[number],
  route: readonly Place[] | undefined,
): Edge {
  return {
    ...(route === undefined ? {} : { type: 'routed', data: { route } }),
    id,
    source: from,
    target: to,
    ...(label === '' ? {} : { label }),
    className: styles[taken === true ? 'taken' : taken === false ? 'passed' : 'open'] ?? '',
    markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14 },
  }
}

function RoutedEdge(props: EdgeProps<RoutedEdgeType>) {
  const { id, sourceX, sourceY, targetX, targetY, label, markerEnd, data } = props
  const { path, label: place } = drawRoute([
    { x: sourceX, y: sourceY },
    ...(data?.route ?? []),
    { x: targetX, y: targetY },
  ])
  return (
    <BaseEdge
      id={id}
      path={path}
      label={label}
      labelX={place.x}
      labelY={place.y}
      labelBgPadding={[4, 2]}
      labelBgBorderRadius={4}
      {...(markerEnd === undefined ? {} : { markerEnd })}
    />
  )
}

function StepNode({ data: { step }, selected }: NodeProps<StepNodeType>) {
  return (
    <div
      className={styles['node']}
      data-state={step.state}
      data-demand={step.on_demand}
      data-selected={selected}
    >
      <Handle
        type="target"
        position={Position.Top}
        isConnectable={false}
        className={styles['handle'] ?? ''}
      />
      <span className={styles['label']} title={step.label ?? step.step_id}>
        {step.label ?? step.step_id}
      </span>
      <span className={styles['about']}>
        {step.state === undefined ? null : <Status {...stepWords[step.state]} />}
        <span>{describeStepType(step.step_type)}</span>
      </span>
      <Handle
        type="source"
        position={Position.Bottom}
        isConnectable={false}
        className={styles['handle'] ?? ''}
      />
    </div>
  )
}
