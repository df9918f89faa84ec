import '@xyflow/react/dist/base.css'
import {
  Background,
  Controls,
  type FinalConnectionState,
  MiniMap,
  Panel,
  ReactFlow,
  ReactFlowProvider,
} from '@xyflow/react'
import { useMemo, useRef, useState } from 'react'
import type { DraftEdge } from '../document/edges.ts'
import { useEditing } from '../use-flow-editor.ts'
import { plainHandle } from './branches.ts'
import styles from './Canvas.module.css'
import { CanvasActionsContext } from './canvas-actions.ts'
import { canvasWords } from './canvas-words.ts'
import { type Connection, refusalOf } from './connections.ts'
import { DrawnLine } from './DrawnLine.tsx'
import type { StepEdgeType } from './draw-edges.ts'
import type { StepNodeType } from './draw-nodes.ts'
import { readDrawnId } from './drawn-id.ts'
import { EmptyFlow } from './EmptyFlow.tsx'
import { fittingOf, mostWithoutMap } from './fitting.ts'
import { KindMenu } from './KindMenu.tsx'
import { grid } from './node-shape.ts'
import { StepEdge } from './StepEdge.tsx'
import { StepNode } from './StepNode.tsx'
import { TidyUp } from './TidyUp.tsx'
import { useAdding } from './use-adding.ts'
import { useCanvasKeys } from './use-canvas-keys.ts'
import { useConnecting, useSelectedLines } from './use-connecting.ts'
import { useDrawing } from './use-drawing.ts'
import { useKeptFocus } from './use-kept-focus.ts'
import { useMoving } from './use-moving.ts'
import { useRevealing } from './use-revealing.ts'
import { useStable } from './use-stable.ts'

const nodeTypes = { step: StepNode }
const edgeTypes = { step: StepEdge }
const snapGrid: [number, number] = [grid, grid]
const proOptions = { hideAttribution: true }
const severalKeys = ['Shift', 'Meta', 'Control']

/** More than this are only drawn where they are in sight. */
const mostDrawn = 100

/** The flow as steps and lines, to be moved and connected. */
export function Canvas() {
  return (
    <ReactFlowProvider>
      <Surface />
    </ReactFlowProvider>
  )
}

function Surface() {
  const { editor, state, announce } = useEditing()
  const { document } = state
  const { steps } = document.definition
  const { selectedEdges, setSelectedEdges, onEdgesChange } = useSelectedLines()
  const { edges, places, nodes: drawn, lines } = useDrawing(selectedEdges)
  const { connectSteps, removeEdges, switchRole } = useConnecting({ places, setSelectedEdges })
  const { nodes, onNodesChange } = useMoving(drawn, places)
  const adding = useAdding(edges, places)
  const onKeyDown = useCanvasKeys({ edges, selectedEdges, removeEdges })
  const surface = useRef<HTMLDivElement>(null)
  const rememberFocus = useKeptFocus(surface, steps)
  useRevealing(places)
  const [fitting] = useState(() => fittingOf(steps))
  const { overEdge } = adding
  const shownLines = useMemo(
    () =>
      lines.map((line) => (line.id === overEdge ? { ...line, className: `${line.className} over` } : line)),
    [lines, overEdge],
  )

  function endLine(event: MouseEvent | TouchEvent, connection: FinalConnectionState): void {
    const { isValid, fromNode, fromHandle, toNode } = connection
    if (isValid === true || fromNode === null || toNode?.id === fromNode.id) return
    const from = { from: readDrawnId(fromNode.id), handle: fromHandle?.id ?? plainHandle }
    if (toNode !== null) {
      const refusal = refusalOf(editor.read().document, { ...from, to: readDrawnId(toNode.id) })
      if (refusal !== null) announce(refusal)
    } else if (event.target instanceof Element && event.target.classList.contains('react-flow__pane')) {
      const point = 'changedTouches' in event ? event.changedTouches[0] : event
      if (point !== undefined) adding.addAtLineEnd({ x: point.clientX, y: point.clientY }, from)
    }
  }

  const addAfter = useStable(adding.addAfter)
  const switchEdge = useStable(switchRole)
  const removeEdge = useStable((edge: DraftEdge) => removeEdges([edge]))
  const actions = useMemo(
    () => ({ addAfter, switchRole: switchEdge, removeEdge }),
    [addAfter, switchEdge, removeEdge],
  )
  const handlers = {
    onNodesChange: useStable(onNodesChange),
    onEdgesChange: useStable(onEdgesChange),
    onConnect: useStable((line: DrawnConnection) => connectSteps(connectionOf(line))),
    onConnectEnd: useStable(endLine),
    isValidConnection: useStable(
      (line: DrawnConnection) => refusalOf(editor.read().document, connectionOf(line)) === null,
    ),
    onNodeDoubleClick: useStable((_event: unknown, { data }: StepNodeType) =>
      editor.ask(`steps[${steps.indexOf(data.step)}].label`),
    ),
  }

  return (
    <CanvasActionsContext value={actions}>
      <div
        ref={surface}
        className={styles['canvas']}
        data-canvas
        tabIndex={-1}
        onKeyDown={onKeyDown}
        onFocus={rememberFocus}
        {...adding.dropZone}
      >
        <ReactFlow
          nodes={nodes}
          edges={shownLines}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          {...handlers}
          connectionLineComponent={DrawnLine}
          snapToGrid
          snapGrid={snapGrid}
          multiSelectionKeyCode={severalKeys}
          deleteKeyCode={null}
          panOnScroll
          zoomOnDoubleClick={false}
          minZoom={0.02}
          maxZoom={1.5}
          fitView
          fitViewOptions={fitting}
          onlyRenderVisibleElements={steps.length > mostDrawn}
          proOptions={proOptions}
          ariaLabelConfig={canvasWords}
          aria-label="Canvas of the flow"
        >
          <Background gap={16} />
          <Controls showInteractive={false} />
          {steps.length > mostWithoutMap ? <MiniMap pannable zoomable /> : null}
          <Panel position="top-right">
            <TidyUp />
          </Panel>
        </ReactFlow>
        {steps.length === 0 ? <EmptyFlow /> : null}
        {adding.wanted === null ? null : (
          <KindMenu
            at={adding.wanted.at}
            height={adding.wanted.height}
            onChoose={adding.choose}
            onClose={adding.close}
          />
        )}
      </div>
    </CanvasActionsContext>
  )
}

type DrawnConnection = Pick<StepEdgeType, 'source' | 'sourceHandle' | 'target'>

function connectionOf({ source, sourceHandle, target }: DrawnConnection): Connection {
  return { from: readDrawnId(source), handle: sourceHandle ?? plainHandle, to: readDrawnId(target) }
}
