import { useEffect, useEffectEvent, useRef } from 'react'
import { useEditing } from '../use-flow-editor.ts'
import { countProblems } from './problem-words.ts'
import type { Validation } from './validation.ts'

/** Whoever types on is not interrupted by what is wrong for a moment. */
const pauseMs = 1_500

/** Says how many problems there are to who cannot see it, when that has changed and stays so. */
export function useToldCount({ state, problems }: Validation): void {
  const { announce } = useEditing()
  // A flow that is opened and has none is no news.
  const told = useRef('No problems')
  const count = state === 'checked' ? countProblems(problems) : null
  const tell = useEffectEvent((text: string) => announce(`${text}.`))
  useEffect(() => {
    if (count === null || count === told.current) return undefined
    const timer = setTimeout(() => {
      told.current = count
      tell(count)
    }, pauseMs)
    return () => clearTimeout(timer)
  }, [count])
}
