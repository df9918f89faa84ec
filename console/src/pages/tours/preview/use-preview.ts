import type { PlayableTour } from '@tutti/player/protocol'
import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Frame } from '../builder/frame/use-frame.ts'
import { createPreview } from './preview.ts'

const isTyping = () => document.activeElement?.matches('input, textarea, select') === true

/** Plays a tour in the framed page for as long as its preview is open. */
export function usePreview({ link }: Frame, tour: PlayableTour) {
  const [preview] = useState(() => createPreview({ link, tour, isTyping }))
  useEffect(() => preview.attend(), [preview])
  return { state: useSyncExternalStore(preview.subscribe, preview.read), restart: preview.restart }
}
