import { useCallback, useLayoutEffect, useRef } from 'react'

/**
 * The same function for as long as a component lives; it does what the newest would. The canvas asks everybody on it anew
 * whenever one of its handlers is another, which hundreds of steps would feel at every key.
 */
export function useStable<Given extends readonly unknown[], Answer>(
  handler: (...given: Given) => Answer,
): (...given: Given) => Answer {
  const newest = useRef(handler)
  useLayoutEffect(() => {
    newest.current = handler
  })
  return useCallback((...given: Given) => newest.current(...given), [])
}
