import {
  type DragEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { EmptyFlow } from '../canvas/EmptyFlow.tsx'
import type { FlowEditor } from '../document/flow-editor.ts'
import { allSteps, placeOfStep, type Scope } from '../document/scopes.ts'
import type { StepKind } from '../document/step-kinds.ts'
import { kindDragType, readKind } from '../palette/dragged-kind.ts'
import { enterScope } from '../scope-ways.ts'
import { useEditing } from '../use-flow-editor.ts'
import { type ListRow, rowsOf } from './list-rows.ts'
import { countByStep } from './problem-counts.ts'
import styles from './StepList.module.css'
import { type Edge, edgeAt, StepRow } from './StepRow.tsx'
import { rowAfterKey, selectionAfterClick, useStepActions } from './step-actions.ts'

/** The flow as a list, with all data and actions of the canvas. */
export function StepList() {
  const { editor, state, problems, tried, announce } = useEditing()
  const actions = useStepActions()
  const list = useRef<HTMLElement>(null)
  useKeptFocus(editor, list)
  const [focused, setFocused] = useState<string>()
  const { document: flow, scope, steps } = state
  const rows = useMemo(() => rowsOf(steps, { within: scope, depth: 0, above: '' }), [steps, scope])
  const counts = useMemo(() => countByStep(problems, flow), [problems, flow])
  const selected = new Set(state.selected)
  const { gap, handlers } = useKindDrop((kind, at) => actions.add(kind, placeOfGap(rows, at)))
  const stop =
    [focused, state.selected.at(-1)].find((id) => rows.some(({ step }) => step.id === id)) ?? rows[0]?.step.id

  const select = useCallback(
    (id: string, how: Pick<MouseEvent, 'shiftKey' | 'ctrlKey' | 'metaKey'>) => {
      const { steps: open, selected: before } = editor.read()
      const ids = allSteps(open).map((step) => step.id)
      editor.select(selectionAfterClick(ids, before, id, how))
    },
    [editor],
  )
  const drop = useCallback(
    (dragged: string, onto: string, edge: Edge) => {
      const place = placeOfStep(editor.read().document, onto)
      const ids = (place?.beside ?? []).map(({ id }) => id)
      const from = ids.indexOf(dragged)
      const to = ids.indexOf(onto) + (edge === 'after' ? 1 : 0)
      if (from >= 0) actions.move(dragged, to > from ? to - 1 : to)
    },
    [editor, actions],
  )
  const openSteps = useCallback((id: string) => enterScope({ editor, announce }, id), [editor, announce])
  const onKeyDown = (press: KeyboardEvent<HTMLElement>) => {
    const id = rowOf(press.target)?.dataset['step']
    const at = rows.findIndex(({ step }) => step.id === id)
    const row = rows[at]
    if (id === undefined || row === undefined || press.ctrlKey || press.metaKey) return undefined
    const to = press.altKey
      ? rowAfterKey(press.key, row.index, placeOfStep(flow, id)?.beside.length ?? 0)
      : rowAfterKey(press.key, at, rows.length)
    if (to === undefined) return undefined
    press.preventDefault()
    if (press.altKey) return actions.move(id, to)
    const wanted = rows[to]?.step.id
    if (wanted === undefined) return undefined
    select(wanted, { shiftKey: press.shiftKey, ctrlKey: false, metaKey: false })
    return findRow(list.current, wanted)?.querySelector<HTMLElement>('[data-part="open"]')?.focus()
  }

  const last = state.selected.at(-1)
  useEffect(() => {
    // A step selected elsewhere scrolls into view here.
    if (last !== undefined) findRow(list.current, last)?.scrollIntoView({ block: 'nearest' })
  }, [last])

  return (
    <section ref={list} className={styles['list']} aria-label="Steps" tabIndex={-1} {...handlers}>
      {steps.length === 0 ? (
        <EmptyFlow />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveElementInteractions: the keys belong to the buttons inside
        <ol
          onKeyDown={onKeyDown}
          onFocus={({ target }) => setFocused((before) => rowOf(target)?.dataset['step'] ?? before)}
        >
          {rows.map(({ step, ...row }, at) => (
            <StepRow
              key={step.id}
              step={step}
              {...row}
              problems={counts.get(step.id)}
              tried={tried?.steps.get(step.id)}
              isSelected={selected.has(step.id)}
              isStop={step.id === stop}
              gap={gap === at ? 'before' : gap === at + 1 && gap === rows.length ? 'after' : undefined}
              actions={actions}
              onSelect={select}
              onDropStep={drop}
              onOpenProblem={editor.ask}
              onOpenSteps={openSteps}
            />
          ))}
        </ol>
      )}
    </section>
  )
}

/** The scope and the position of a step that is dropped before a row: those of the row, else the end of the list. */
function placeOfGap(
  rows: readonly ListRow[],
  at: number,
): { readonly index?: number; readonly within?: Scope } {
  const row = rows[at]
  return row === undefined ? {} : { index: row.index, within: row.within }
}

function rowOf(target: EventTarget): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('li[data-step]') : null
}

function findRow(list: HTMLElement | null, id: string): HTMLElement | null {
  return list?.querySelector<HTMLElement>(`li[data-step="${CSS.escape(id)}"]`) ?? null
}

/** Accepts step types from the palette, between the rows or below them. */
function useKindDrop(onDrop: (kind: StepKind, index: number) => void) {
  // The index of the new step; undefined while no step type is dragged over the list.
  const [gap, setGap] = useState<number>()
  return {
    gap,
    handlers: {
      onDragOver(drag: DragEvent<HTMLElement>) {
        if (!drag.dataTransfer.types.includes(kindDragType)) return
        drag.preventDefault()
        drag.dataTransfer.dropEffect = 'copy'
        setGap(gapAt(drag))
      },
      onDragLeave({ currentTarget, relatedTarget }: DragEvent<HTMLElement>) {
        const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
        if (!isInside) setGap(undefined)
      },
      onDrop(drag: DragEvent<HTMLElement>) {
        setGap(undefined)
        const kind = readKind(drag.dataTransfer.getData(kindDragType))
        if (kind === null) return
        drag.preventDefault()
        onDrop(kind, gapAt(drag))
      },
    },
  }
}

function gapAt({ target, currentTarget, clientY }: DragEvent<HTMLElement>): number {
  const rows = [...currentTarget.querySelectorAll('li[data-step]')]
  const row = target instanceof Element ? target.closest('li[data-step]') : null
  if (row === null) return rows.length
  return rows.indexOf(row) + (edgeAt(row, clientY) === 'after' ? 1 : 0)
}

/** The position of the focus in the list. */
interface FocusPlace {
  readonly step: string
  /** The focused control of the step. */
  readonly part: string
  readonly index: number
}

/**
 * Keeps the focus in the list when steps are moved or removed by a button, a key or undo. The focus stays on its step,
 * or moves to the step now at its index, or to the list itself when it is empty.
 */
function useKeptFocus(editor: FlowEditor, list: RefObject<HTMLElement | null>): void {
  const before = useRef<FocusPlace>(undefined)
  // The editor publishes a change before it is rendered: the focus is still at its old position.
  useEffect(
    () =>
      editor.subscribe(() => {
        before.current = placeOfFocus(list.current)
      }),
    [editor, list],
  )
  useEffect(() => {
    const place = before.current
    before.current = undefined
    if (place === undefined || list.current === null || list.current.contains(document.activeElement)) return
    // The focus stays in the form when a form field was requested.
    if (document.activeElement !== document.body && document.activeElement !== null) return
    const { step, part, index } = place
    const rows = [...list.current.querySelectorAll<HTMLElement>('li[data-step]')]
    const same = rows.find((row) => row.dataset['step'] === step)
    const target =
      same?.querySelector<HTMLElement>(`[data-part="${part}"]`) ??
      (rows[index] ?? rows.at(-1))?.querySelector<HTMLElement>('[data-part="open"]') ??
      list.current
    target.focus()
  })
}

function placeOfFocus(list: HTMLElement | null): FocusPlace | undefined {
  const focused = document.activeElement
  const row = focused?.closest<HTMLElement>('li[data-step]')
  if (!(focused instanceof HTMLElement) || row === null || row === undefined) return undefined
  if (list?.contains(row) !== true) return undefined
  const rows = [...list.querySelectorAll('li[data-step]')]
  return {
    step: row.dataset['step'] ?? '',
    part: focused.dataset['part'] ?? 'open',
    index: rows.indexOf(row),
  }
}
