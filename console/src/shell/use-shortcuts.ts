import { useEffect } from 'react'
import { createShortcutReader, isTaken, type Shortcut } from './shortcuts.ts'

/** Listens for the shortcuts while the component is there. Keys without Ctrl can be switched off. */
export function useShortcuts(shortcuts: readonly Shortcut[], { singleKeys }: { singleKeys: boolean }): void {
  useEffect(() => {
    const always = createShortcutReader(shortcuts.filter(({ keys }) => keys.startsWith('mod+')))
    const onPage = createShortcutReader(shortcuts.filter(({ keys }) => !keys.startsWith('mod+')))
    const onKeyDown = (press: KeyboardEvent) => {
      if (press.defaultPrevented || press.repeat) return
      const used = always(press) || (singleKeys && !isTaken(press.target) && onPage(press))
      if (used) press.preventDefault()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [shortcuts, singleKeys])
}
