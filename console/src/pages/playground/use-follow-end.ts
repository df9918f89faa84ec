import { useEffect, useLayoutEffect, useRef } from 'react'

/** So near its end, somebody reads along. */
const nearPx = 48

/**
 * Keeps the end of the page in view while it grows, for who is there; who scrolled back is left alone. Something `added` at
 * the end is always shown.
 */
export function useFollowEnd(growth: unknown, added: unknown): void {
  const follows = useRef(false)
  const shown = useRef(added)
  useEffect(() => {
    const look = () => {
      const { scrollHeight, clientHeight } = document.documentElement
      follows.current = scrollHeight - clientHeight - window.scrollY < nearPx
    }
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [])
  useLayoutEffect(() => {
    const isNew = shown.current !== added
    shown.current = added
    if (growth !== undefined && (isNew || follows.current)) {
      window.scrollTo({ top: document.documentElement.scrollHeight })
    }
  }, [growth, added])
}
