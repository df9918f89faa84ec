import { useEffect, useLayoutEffect, useRef } from 'react'

/** So near its end, somebody reads along. */
const nearPx = 48

/**
 * Keeps the end of the page in view while it grows, for who is there; who scrolled back is left alone. Something `added` at
 * the end is always shown.
 */
export function useFollowEnd(growth: unknown, added: unknown): void {
  const follows = useRef(false)
  /** How far down it was put last. Events of scrolling come later than what they tell of: whoever is above this has scrolled back. */
  const putAt = useRef(0)
  const shown = useRef(added)
  useEffect(() => {
    const look = () => {
      const { scrollHeight, clientHeight } = document.documentElement
      const isNear = scrollHeight - clientHeight - window.scrollY < nearPx
      if (isNear) putAt.current = Math.min(putAt.current, window.scrollY)
      follows.current = isNear || (follows.current && window.scrollY >= putAt.current)
    }
    look()
    window.addEventListener('scroll', look, { passive: true })
    return () => window.removeEventListener('scroll', look)
  }, [])
  useLayoutEffect(() => {
    const isNew = shown.current !== added
    shown.current = added
    const isThere = follows.current && window.scrollY >= putAt.current
    if (growth === undefined || !(isNew || isThere)) return
    window.scrollTo({ top: document.documentElement.scrollHeight })
    follows.current = true
    putAt.current = window.scrollY
  }, [growth, added])
}
