import { useEffect, useEffectEvent } from 'react'

interface BuilderKeys {
  readonly onUndo: () => void
  readonly onRedo: () => void
  readonly onPick: () => void
  /** Undefined while nothing is being picked. */
  readonly onCancel: (() => void) | undefined
}

/** Ctrl-Z, Ctrl-Shift-Z or Ctrl-Y, Ctrl-E and Escape, wherever the focus is; dialogs and fields of their own keep theirs. */
export function useBuilderKeys(keys: BuilderKeys): void {
  const onKeyDown = useEffectEvent((press: KeyboardEvent) => {
    if (press.defaultPrevented || isElsewhere(press.target)) return
    const run = actionOf(press, keys)
    if (run === undefined) return
    press.preventDefault()
    run()
  })
  useEffect(() => {
    const listen = (press: KeyboardEvent) => onKeyDown(press)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

function actionOf(press: KeyboardEvent, keys: BuilderKeys): (() => void) | undefined {
  if (press.key === 'Escape') return keys.onCancel
  if (!(press.ctrlKey || press.metaKey) || press.altKey) return undefined
  const key = press.key.toLowerCase()
  if (key === 'z') return press.shiftKey ? keys.onRedo : keys.onUndo
  if (key === 'y') return keys.onRedo
  return key === 'e' && !press.shiftKey && !press.repeat ? keys.onPick : undefined
}

function isElsewhere(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[role="dialog"], [data-own-undo]') !== null
}
