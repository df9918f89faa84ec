import { type KeyboardEvent, type MouseEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { EmptyFlow } from '../canvas/EmptyFlow.tsx'
import { useEditing } from '../use-flow-editor.ts'
import { countByStep } from './problem-counts.ts'
import type { Edge } from './row-edge.ts'
import { rowAfterKey, selectionAfterClick } from './row-selection.ts'
import styles from './StepList.module.css'
import { StepRow } from './StepRow.tsx'
import { factsOf } from './step-facts.ts'
import { useKeptFocus } from './use-kept-focus.ts'
import { useKindDrop } from './use-kind-drop.ts'
import { useStepActions } from './use-step-actions.ts'

/** The flow as a list: everything the canvas shows and does, from top to bottom. */
export function StepList() {
  const { editor, state, problems, tried } = useEditing()
  const actions = useStepActions()
  const list = useRef<HTMLElement>(null)
  useKeptFocus(editor, list)
  const [focused, setFocused] = useState<string>()
  const { steps } = state.document.definition
  const facts = useMemo(() => factsOf(steps), [steps])
  const counts = useMemo(() => countByStep(problems), [problems])
  const selected = new Set(state.selected)
  const { gap, handlers } = useKindDrop((kind, index) => actions.add(kind, { index }))
  const stop =
    [focused, state.selected.at(-1)].find((id) => steps.some((step) => step.id === id)) ?? steps[0]?.id

  const select = useCallback(
    (id: string, how: Pick<MouseEvent, 'shiftKey' | 'ctrlKey' | 'metaKey'>) => {
      const { document, selected: before } = editor.read()
      const ids = document.definition.steps.map((step) => step.id)
      editor.select(selectionAfterClick(ids, before, id, how))
    },
    [editor],
  )
  const drop = useCallback(
    (dragged: string, onto: string, edge: Edge) => {
      const ids = editor.read().document.definition.steps.map(({ id }) => id)
      const from = ids.indexOf(dragged)
      const place = ids.indexOf(onto) + (edge === 'after' ? 1 : 0)
      if (from >= 0) actions.move(dragged, place > from ? place - 1 : place)
    },
    [editor, actions],
  )
  const onKeyDown = (press: KeyboardEvent<HTMLElement>) => {
    const id = rowOf(press.target)?.dataset['step']
    const index = steps.findIndex((step) => step.id === id)
    if (id === undefined || index < 0 || press.ctrlKey || press.metaKey) return undefined
    const to = rowAfterKey(press.key, index, steps.length)
    if (to === undefined) return undefined
    press.preventDefault()
    if (press.altKey) return actions.move(id, to)
    const wanted = steps[to]?.id
    if (wanted === undefined) return undefined
    select(wanted, { shiftKey: press.shiftKey, ctrlKey: false, metaKey: false })
    return findRow(list.current, wanted)?.querySelector<HTMLElement>('[data-part="open"]')?.focus()
  }

  const last = state.selected.at(-1)
  useEffect(() => {
    // Whoever selects a step elsewhere sees it here.
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
          {steps.map((step, index) => (
            <StepRow
              key={step.id}
              step={step}
              index={index}
              isLast={index === steps.length - 1}
              facts={facts[index] ?? noFacts}
              problems={counts.get(index)}
              tried={tried?.steps.get(step.id)}
              isSelected={selected.has(step.id)}
              isStop={step.id === stop}
              gap={gap === index ? 'before' : gap === index + 1 && gap === steps.length ? 'after' : undefined}
              actions={actions}
              onSelect={select}
              onDropStep={drop}
              onOpenProblem={editor.ask}
            />
          ))}
        </ol>
      )}
    </section>
  )
}

const noFacts = { arrival: '', branches: [], moreBranches: 0, isDormant: false }

function rowOf(target: EventTarget): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('li[data-step]') : null
}

function findRow(list: HTMLElement | null, id: string): HTMLElement | null {
  return list?.querySelector<HTMLElement>(`li[data-step="${CSS.escape(id)}"]`) ?? null
}
