import { useEffect, useState } from 'react'
import { copyText } from './copy-text.ts'

const feedbackMs = 1_500

/** Copies a text, or what is made when it is asked for, and tells for a moment how that went. An empty text is none. */
export function useCopy(text: string | (() => Promise<string>)) {
  const [outcome, setOutcome] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (outcome === 'idle') return undefined
    const timer = setTimeout(() => setOutcome('idle'), feedbackMs)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = () =>
    void (async () => {
      const made = typeof text === 'string' ? text : await text()
      setOutcome(made !== '' && (await copyText(made)) ? 'copied' : 'failed')
    })()
  return { outcome, copy }
}
