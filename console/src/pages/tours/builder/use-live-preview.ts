import { useEffect, useEffectEvent } from 'react'
import { showsOn } from './document/place-step.ts'
import { playableTip } from './document/tour-calls.ts'
import type { TourDocument } from './document/tour-document.ts'
import type { Frame } from './frame/use-frame.ts'

interface LivePreview {
  readonly document: TourDocument
  readonly openKey: string | undefined
  readonly isPicking: boolean
  readonly onOpen: (key: string | undefined) => void
}

/** Typing is shown when it pauses for a moment, so that the page does not flicker. */
const pauseMs = 120

/** Shows the open step in the page as visitors would see it, and follows its buttons. */
export function useLivePreview({ link, state }: Frame, preview: LivePreview): void {
  const { document, openKey, isPicking, onOpen } = preview
  const index = document.steps.findIndex(({ key }) => key === openKey)
  const step = document.steps[index]
  const place = state.name === 'ready' ? state.place : undefined
  const isShown = step !== undefined && place !== undefined && !isPicking && showsOn(place, document, step)
  const tip = isShown ? JSON.stringify(playableTip(step)) : undefined
  const total = document.steps.length

  useEffect(() => {
    if (place === undefined || isPicking) return undefined
    if (tip === undefined) return link.say({ type: 'hide-step' })
    const timer = setTimeout(
      () => link.say({ type: 'show-step', tip: JSON.parse(tip), index, total }),
      pauseMs,
    )
    return () => clearTimeout(timer)
  }, [link, place, isPicking, tip, index, total])

  const onAction = useEffectEvent((action: 'next' | 'previous' | 'close') => {
    const neighbour = document.steps[index + (action === 'next' ? 1 : -1)]
    if (action === 'close' || neighbour === undefined) onOpen(undefined)
    else onOpen(neighbour.key)
  })
  useEffect(
    () =>
      link.listen((message) => {
        if (message.type === 'step-action') onAction(message.action)
      }),
    [link],
  )
}
