import { useEffect, useState } from 'react'

/** Epoch seconds, kept up to date several times a second while something goes on. */
export function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(() => Date.now() / 1000)
  useEffect(() => {
    if (!isRunning) return undefined
    const timer = setInterval(() => setNow(Date.now() / 1000), 250)
    return () => clearInterval(timer)
  }, [isRunning])
  return now
}
