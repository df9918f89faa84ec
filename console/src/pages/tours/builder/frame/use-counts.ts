import { useEffect, useRef, useState } from 'react'
import type { Count } from '../document/element-status.ts'
import type { Frame } from './use-frame.ts'

const nothing: ReadonlyMap<string, Count> = new Map()

/** Pages change without an event (menus open, lists load), so matches are counted periodically. */
const againMs = 2_000

/** The number of elements each selector matches in the framed page, counted again periodically. */
export function useCounts({ link, state }: Frame, selectors: readonly string[]): ReadonlyMap<string, Count> {
  const [counts, setCounts] = useState(nothing)
  const asked = JSON.stringify(selectors)
  const lastAnswer = useRef('')

  useEffect(
    () =>
      link.listen((message) => {
        if (message.type !== 'counted' || message.counts.length === 0) return
        const answer = JSON.stringify(message.counts)
        if (answer === lastAnswer.current) return
        lastAnswer.current = answer
        setCounts(new Map(message.counts.map(({ selector, ...count }) => [selector, count])))
      }),
    [link],
  )

  useEffect(() => {
    const wanted: string[] = JSON.parse(asked)
    if (state.name !== 'ready' || wanted.length === 0) return undefined
    const ask = () => link.say({ type: 'count', selectors: wanted })
    ask()
    const timer = setInterval(ask, againMs)
    return () => clearInterval(timer)
  }, [link, state, asked])

  return state.name === 'ready' ? counts : nothing
}
