import '@xyflow/react/dist/base.css'
import { Button, Popover } from '@mantine/core'
import IconLayoutDistributeVertical from '@tabler/icons-react/dist/esm/icons/IconLayoutDistributeVertical.mjs'
import {
  type AriaLabelConfig,
  Background,
  Controls,
  type FinalConnectionState,
  type FitViewOptions,
  MiniMap,
  Panel,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStoreApi,
} from '@xyflow/react'
import {
  type FocusEvent,
  type KeyboardEvent,
  type RefObject,
  useCallback,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { DraftEdge } from '../document/edges.ts'
import { type DraftStep, placesIn, stepIn, withPlaces } from '../document/flow-document.ts'
import { useEditing } from '../use-flow-editor.ts'
import { plainHandle } from './branches.ts'
import styles from './Canvas.module.css'
import { CanvasActionsContext } from './canvas-actions.ts'
import { type Connection, refusalOf } from './connections.ts'
import { edgeId, type StepEdgeType } from './draw-edges.ts'
import type { StepNodeType } from './draw-nodes.ts'
import { drawnId, readDrawnId } from './drawn-id.ts'
import { EmptyFlow } from './EmptyFlow.tsx'
import { grid, sizeOf } from './node-shape.ts'
import { DrawnLine, StepEdge } from './StepEdge.tsx'
import { StepNode } from './StepNode.tsx'
import { useAdding } from './use-adding.ts'
import { useDrawing } from './use-drawing.ts'
import { useConnecting, useMoving, useSelectedLines } from './use-gestures.ts'
import '../../../theme/mantine-floating.css'
import type { Place } from '../../../graph/graph-layout.ts'
import { type Scope, scopeOf } from '../document/scopes.ts'
import { isContainer, type StepKind } from '../document/step-kinds.ts'
import { useStepActions } from '../list/step-actions.ts'
import { KindChoice } from '../palette/KindChoice.tsx'

const nodeTypes = { step: StepNode }
const edgeTypes = { step: StepEdge }
const snapGrid: [number, number] = [grid, grid]
const proOptions = { hideAttribution: true }
const severalKeys = ['Shift', 'Meta', 'Control']

/** Above this number, only the steps in the viewport are rendered. */
const maxDrawn = 100

/** The flow as a graph of steps and connections that can be moved and edited. */
export function Canvas() {
  const { scope } = useEditing().state
  return (
    // Every scope has a viewport of its own.
    <ReactFlowProvider key={JSON.stringify(scope)}>
      <Surface />
    </ReactFlowProvider>
  )
}

function Surface() {
  const { editor, state, announce } = useEditing()
  const { steps } = state
  const { selectedEdges, setSelectedEdges, onEdgesChange } = useSelectedLines()
  const { edges, places, nodes: drawn, lines } = useDrawing(selectedEdges)
  const { connectSteps, removeEdges, switchRole } = useConnecting({ places, setSelectedEdges })
  const { nodes, onNodesChange } = useMoving(drawn, places)
  const adding = useAdding(edges, places)
  const onKeyDown = useCanvasKeys({ edges, selectedEdges, removeEdges })
  const surface = useRef<HTMLDivElement>(null)
  const rememberFocus = useKeptFocus(surface, steps)
  useFocusOnOpen(surface, state.scope)
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
    () => ({ addAfter, switchRole: switchEdge, removeEdge, open: editor.open }),
    [addAfter, switchEdge, removeEdge, editor],
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
      isContainer(data.step) ? editor.open(data.step.id) : editor.askStep(data.step.id),
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
          onlyRenderVisibleElements={steps.length > maxDrawn}
          proOptions={proOptions}
          ariaLabelConfig={canvasWords}
          aria-label="Workflow canvas"
        >
          <Background gap={16} />
          <Controls showInteractive={false} />
          {steps.length > maxWithoutMap ? <MiniMap pannable zoomable /> : null}
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

/**
 * A function with a stable identity that calls the newest handler. React Flow updates every node when one of its
 * handlers changes, which is slow at every key press with hundreds of steps.
 */
function useStable<Given extends readonly unknown[], Answer>(
  handler: (...given: Given) => Answer,
): (...given: Given) => Answer {
  const newest = useRef(handler)
  useLayoutEffect(() => {
    newest.current = handler
  })
  return useCallback((...given: Given) => newest.current(...given), [])
}

/** The screen reader texts of the canvas. */
const canvasWords: Partial<AriaLabelConfig> = {
  'node.a11yDescription.default':
    'Space selects the step, Enter opens its form. The arrow keys move it when it is selected, with Shift further. Delete removes it.',
  'node.a11yDescription.keyboardDisabled':
    'Space selects the step, Enter opens its form. The arrow keys move it when it is selected, with Shift further. Delete removes it.',
  'node.a11yDescription.ariaLiveMessage': ({ direction }) => `Moved ${direction}.`,
  'edge.a11yDescription.default': 'Space selects the line, Delete removes it.',
  'controls.ariaLabel': 'View',
  'controls.zoomIn.ariaLabel': 'Zoom in',
  'controls.zoomOut.ariaLabel': 'Zoom out',
  'controls.fitView.ariaLabel': 'Fit view',
  'minimap.ariaLabel': 'Minimap',
}

/** Keeps the focus on the canvas when the focused step is removed, so that keyboard shortcuts keep working. */
function useKeptFocus(surface: RefObject<HTMLElement | null>, steps: readonly DraftStep[]) {
  const had = useRef<string | null>(null)
  useEffect(() => {
    const id = had.current
    if (id === null || steps.some((step) => step.id === id)) return
    had.current = null
    const { activeElement } = document
    // React Flow removes the node element one render later.
    const isStillThere = activeElement?.closest('.react-flow__node')?.getAttribute('data-id') === drawnId(id)
    if (activeElement === document.body || isStillThere) surface.current?.focus()
  }, [steps, surface])
  return ({ target }: FocusEvent): void => {
    const name = target.closest('.react-flow__node')?.getAttribute('data-id') ?? null
    had.current = name === null ? null : readDrawnId(name)
  }
}

/** Moves the focus to the canvas of a scope that was opened: the pressed button is gone. */
function useFocusOnOpen(surface: RefObject<HTMLElement | null>, scope: Scope): void {
  useEffect(() => {
    if (scope !== null && document.activeElement === document.body) surface.current?.focus()
  }, [surface, scope])
}

/** Discards all manual positions, so that every step is laid out again. */
function TidyUp() {
  const { editor, state, announce } = useEditing()
  const { fitView } = useReactFlow<StepNodeType>()
  const own = new Set(state.steps.map(({ id }) => id))
  const isTidy = ![...placesIn(state.document).keys()].some((id) => own.has(id))
  return (
    <Button
      variant="default"
      size="compact-xs"
      leftSection={<IconLayoutDistributeVertical size={14} aria-hidden />}
      aria-disabled={isTidy}
      title={isTidy ? 'All steps are already laid out' : 'Lay out all steps automatically'}
      onClick={() => {
        if (isTidy) return
        editor.change({ what: 'auto layout' }, (document) =>
          withPlaces(document, new Map([...placesIn(document)].filter(([id]) => !own.has(id)))),
        )
        announce('Steps laid out. Undo restores their positions.')
        void fitView({ ...fittingOf(state.steps), duration: glideMs() })
      }}
    >
      Auto layout
    </Button>
  )
}

/** Larger flows show a minimap: they rarely fit into the viewport. */
const maxWithoutMap = 30

/** Fits the whole flow into the view, or only its start where the whole would be too small to read. */
function fittingOf(steps: readonly DraftStep[]): FitViewOptions<StepNodeType> {
  const whole = { maxZoom: 1, padding: 0.1 }
  if (steps.length <= maxWithoutMap) return whole
  return { ...whole, minZoom: 0.4, nodes: steps.slice(0, 8).map(({ id }) => ({ id: drawnId(id) })) }
}

interface KindMenuProps {
  /** The screen position of the menu. */
  readonly at: { readonly x: number; readonly y: number }
  /**
   * The height of the opener, which the menu must not cover: the second click of a double click would choose an entry.
   */
  readonly height: number
  readonly onChoose: (kind: StepKind) => void
  readonly onClose: () => void
}

/** The step types for this position. */
function KindMenu({ at, height, onChoose, onClose }: KindMenuProps) {
  return (
    <Popover
      opened
      onDismiss={onClose}
      position="bottom-start"
      floatingStrategy="fixed"
      // Rendered inside the page, the menu belongs to its landmark.
      withinPortal={false}
      offset={4}
      width={264}
      trapFocus
      shadow="none"
      classNames={{ dropdown: styles['menu'] ?? '' }}
    >
      <Popover.Target>
        <span className={styles['point']} style={{ left: at.x, top: at.y, height }} />
      </Popover.Target>
      <Popover.Dropdown aria-label="Step types">
        <KindChoice onChoose={onChoose} />
      </Popover.Dropdown>
    </Popover>
  )
}

/** Scrolls to a step that was selected in another view. Visible steps do not move the viewport. */
function useRevealing(places: ReadonlyMap<string, Place>): void {
  const { editor, state } = useEditing()
  const { getViewport, setCenter } = useReactFlow()
  const store = useStoreApi()
  const reveal = useEffectEvent((id: string) => {
    const place = places.get(id)
    const step = stepIn(editor.read().document, id)
    const { width, height } = store.getState()
    if (place === undefined || step === undefined || width === 0) return
    const size = sizeOf(step)
    const middle = { x: place.x + size.width / 2, y: place.y + size.height / 2 }
    const { x, y, zoom } = getViewport()
    const seen = { x: middle.x * zoom + x, y: middle.y * zoom + y }
    if (seen.x >= 0 && seen.y >= 0 && seen.x <= width && seen.y <= height) return
    void setCenter(middle.x, middle.y, { zoom, duration: glideMs() })
  })
  const last = state.selected.at(-1)
  useEffect(() => {
    if (last === undefined) return
    // The list can select a step inside of a container.
    editor.open(scopeOf(editor.read().document, last))
    reveal(last)
  }, [editor, last])
}

/** The duration of viewport animations; 0 with reduced motion. */
function glideMs(): number {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 200
}

interface CanvasKeysOptions {
  readonly edges: readonly DraftEdge[]
  readonly selectedEdges: ReadonlySet<string>
  readonly removeEdges: (edges: readonly DraftEdge[]) => void
}

/** The shortcuts of the canvas alone; the editor handles those of selected steps. */
function useCanvasKeys({ edges, selectedEdges, removeEdges }: CanvasKeysOptions) {
  const { editor } = useEditing()
  const { remove } = useStepActions()
  return (event: KeyboardEvent): void => {
    const { selected } = editor.read()
    const focused = focusedOf(event.target)
    if (focused === null) return
    if (event.key === 'Enter' && !event.shiftKey && focused.kind === 'node') {
      event.preventDefault()
      editor.askStep(focused.id)
    }
    if (event.key !== 'Delete' && event.key !== 'Backspace') return
    const lines = edges.filter((edge) => selectedEdges.has(edgeId(edge)))
    if (focused.kind === 'edge' && selected.length === 0) {
      removeEdges(lines.length > 0 ? lines : edges.filter((edge) => edgeId(edge) === focused.id))
    } else if (focused.kind === 'node' && !selected.includes(focused.id)) remove([focused.id])
    else return
    event.preventDefault()
    event.stopPropagation()
  }
}

function focusedOf(target: EventTarget): { readonly kind: 'node' | 'edge'; readonly id: string } | null {
  if (!(target instanceof Element)) return null
  const id = target.getAttribute('data-id')
  if (id === null) return null
  if (target.classList.contains('react-flow__node')) return { kind: 'node', id: readDrawnId(id) }
  return target.classList.contains('react-flow__edge') ? { kind: 'edge', id } : null
}
