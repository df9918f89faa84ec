import { useEffect, useState, useSyncExternalStore } from 'react'
import { createFrameLink, type FrameLink, type FrameState } from './frame-link.ts'

export interface Frame {
  readonly link: FrameLink
  readonly state: FrameState
}

/** The link to the framed page of a builder or preview, and its state. */
export function useFrame(): Frame {
  const [link] = useState(createFrameLink)
  useEffect(() => {
    window.addEventListener('message', link.receive)
    return () => {
      window.removeEventListener('message', link.receive)
      link.stop()
    }
  }, [link])
  return { link, state: useSyncExternalStore(link.subscribe, link.read) }
}
