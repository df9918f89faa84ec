import { useDisclosure } from '@mantine/hooks'
import { useEffect, useId } from 'react'

/** The navigation of narrow screens: it covers the page, takes the focus when it opens, and Escape gives it back. */
export function useCoveringNavigation() {
  const id = useId()
  const [open, { toggle, close }] = useDisclosure(false)
  useEffect(() => {
    if (!open) return undefined
    document.getElementById(id)?.querySelector('a')?.focus()
    const onKeyDown = (press: KeyboardEvent) => {
      if (press.key !== 'Escape') return
      close()
      document.querySelector<HTMLElement>(`[aria-controls="${id}"]`)?.focus()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [open, id, close])
  return { id, open, toggle, close }
}
