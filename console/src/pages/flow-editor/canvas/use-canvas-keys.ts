import type { KeyboardEvent } from 'react'
import type { DraftEdge } from '../document/edges.ts'
import { useStepActions } from '../list/step-actions.ts'
import { useEditing } from '../use-flow-editor.ts'
import { edgeId } from './draw-edges.ts'
import { readDrawnId } from './drawn-id.ts'

interface CanvasKeysOptions {
  readonly edges: readonly DraftEdge[]
  readonly selectedEdges: ReadonlySet<string>
  readonly removeEdges: (edges: readonly DraftEdge[]) => void
}

/** Keys that mean something on the canvas alone; those for selected steps are the editor's. */
export function useCanvasKeys({ edges, selectedEdges, removeEdges }: CanvasKeysOptions) {
  const { editor } = useEditing()
  const { remove } = useStepActions()
  return (event: KeyboardEvent): void => {
    const { selected, document } = editor.read()
    const focused = focusedOf(event.target)
    if (focused === null) return
    if (event.key === 'Enter' && focused.kind === 'node') {
      event.preventDefault()
      editor.ask(`steps[${document.definition.steps.findIndex(({ id }) => id === focused.id)}].label`)
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
