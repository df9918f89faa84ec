import { useEffect, useState } from 'react'
import { copyText } from './copy-text.ts'

const feedbackMs = 1_500

/** Copies a text, and tells for a moment how that went. */
export function useCopy(text: string) {
  const [outcome, setOutcome] = useState<'idle' | 'copied' | 'failed'>('idle')
  useEffect(() => {
    if (outcome === 'idle') return undefined
    const timer = setTimeout(() => setOutcome('idle'), feedbackMs)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = () => void copyText(text).then((copied) => setOutcome(copied ? 'copied' : 'failed'))
  return { outcome, copy }
}
