import { useReactFlow, useStoreApi } from '@xyflow/react'
import { useEffect, useEffectEvent } from 'react'
import type { Place } from '../../../graph/graph-layout.ts'
import { stepIn } from '../document/flow-document.ts'
import { useEditing } from '../use-flow-editor.ts'
import { sizeOf } from './node-shape.ts'

/** Brings a step that was selected elsewhere into sight. What is in sight stays where it is. */
export function useRevealing(places: ReadonlyMap<string, Place>): void {
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
    if (last !== undefined) reveal(last)
  }, [last])
}

/** How long the view may take to move: no time for who does not want movement. */
export function glideMs(): number {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 200
}
