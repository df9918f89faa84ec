import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react'
import { nameOf, stepIn } from './document/flow-document.ts'
import type { FlowEditor } from './document/flow-editor.ts'
import { placeOfStep, type Scope, scopeOf } from './document/scopes.ts'
import { isContainer } from './document/step-kinds.ts'
import type { Editing } from './use-flow-editor.ts'

type Ways = Pick<Editing, 'editor' | 'announce'>

/** Opens the steps of a container. */
export function enterScope({ editor, announce }: Ways, id: string): void {
  const step = stepIn(editor.read().document, id)
  if (step === undefined || !isContainer(step)) return
  editor.open(id)
  editor.select([])
  announce(`The steps of ${nameOf(step)} are open.`)
}

/** Opens a scope around the open one, and selects the container that was left there. */
export function leaveScope({ editor, announce }: Ways, to?: Scope): void {
  const { document, scope } = editor.read()
  if (scope === null) return
  const wanted = to === undefined ? scopeOf(document, scope) : to
  const trail = [...(placeOfStep(document, scope)?.around.map(({ id }) => id) ?? []), scope]
  const left = trail[wanted === null ? 0 : trail.indexOf(wanted) + 1]
  editor.open(wanted)
  editor.select(left === undefined ? [] : [left])
  const outer = wanted === null ? undefined : stepIn(document, wanted)
  announce(outer === undefined ? 'The workflow is open.' : `The steps of ${nameOf(outer)} are open.`)
}

/** The scope and the step of an address. A step may be a step path of an execution, such as `each/7/translate`. */
export interface AddressedPlace {
  readonly in?: string | undefined
  readonly step?: string | undefined
}

/** Keeps the open scope and the address the same, whichever changes. A step in the address is selected once. */
export function useScopeInAddress(
  editor: FlowEditor,
  { in: addressed, step }: AddressedPlace,
  onScope: (scope: Scope) => void,
): void {
  const { scope } = useSyncExternalStore(editor.subscribe, editor.read)
  // The scope that both had last; undefined before the address was read.
  const agreed = useRef<Scope | undefined>(undefined)
  const write = useEffectEvent(onScope)
  useEffect(() => {
    const id = step?.split('/').at(-1)
    if (id !== undefined && stepIn(editor.read().document, id) !== undefined) {
      editor.select([id])
      editor.open(scopeOf(editor.read().document, id))
    }
  }, [editor, step])
  useEffect(() => {
    const wanted = addressed ?? null
    if (wanted === agreed.current) return
    // A step in the address already opened its scope.
    const isFirst = agreed.current === undefined
    agreed.current = wanted
    if (!isFirst || wanted !== null) editor.open(wanted)
    const { scope: opened } = editor.read()
    if (opened === wanted) return
    agreed.current = opened
    write(opened)
  }, [editor, addressed])
  const follow = useEffectEvent((rendered: Scope) => {
    // An effect above may have opened another scope since the render.
    const { scope: now } = editor.read()
    if (rendered !== now || agreed.current === undefined || now === agreed.current) return
    agreed.current = now
    onScope(now)
  })
  useEffect(() => follow(scope), [scope])
}
