import type { PlayerMessage, SelectorCandidate } from '@tutti/player/protocol'
import { useEffect, useEffectEvent, useState } from 'react'
import { placeOn } from './document/place-step.ts'
import { addStep, changeStep, maxSteps, newStep } from './document/tour-document.ts'
import type { TourEditor } from './document/tour-editor.ts'
import type { Frame } from './frame/use-frame.ts'
import { targetOf } from './steps/target-of.ts'
import type { StepPart } from './use-pending-focus.ts'

/** A picked element, and the step it was picked for. */
interface Picked {
  readonly key: string
  readonly candidates: readonly SelectorCandidate[]
}

export interface Picking {
  /** Whether the page waits for a click; `over` describes the element under the pointer. */
  readonly isPicking: boolean
  readonly over: string | undefined
  readonly picked: Picked | undefined
  /** Begins picking for a step, or for a new one. */
  readonly begin: (key: string | undefined) => void
  readonly cancel: () => void
}

interface Surroundings {
  readonly frame: Frame
  readonly editor: TourEditor
  readonly open: (key: string) => void
  readonly announce: (text: string) => void
  readonly focus: (key: string | undefined, part: StepPart) => void
  /** Shows the page to pick in, and the steps after an element was picked. */
  readonly show: (part: 'page' | 'steps') => void
}

/** Picks elements in the framed page: for an existing step, or for a new one. */
export function usePicking({ frame, editor, open, announce, focus, show }: Surroundings): Picking {
  const { link, state } = frame
  const [wanted, setWanted] = useState<{ readonly key: string | undefined }>()
  const [over, setOver] = useState<string>()
  const [picked, setPicked] = useState<Picked>()

  function end(): void {
    setWanted(undefined)
    setOver(undefined)
    show('steps')
  }

  function take({ candidates, text, title }: Extract<PlayerMessage, { type: 'picked' }>): void {
    const best = candidates[0]
    if (wanted === undefined) return
    if (best === undefined) return announce('No selector finds this element again. Pick one around it.')
    const isKnown = editor.read().document.steps.some(({ key }) => key === wanted.key)
    const key = wanted.key !== undefined && isKnown ? wanted.key : editor.newKey()
    const target = { ...targetOf(candidates, best.selector), targetText: text }
    if (isKnown) {
      editor.change({ what: 'the element of a step' }, (it) => {
        const isCentred = it.steps.find((step) => step.key === key)?.location === 'center'
        return changeStep(it, key, { ...target, ...(isCentred ? { location: 'bottom' } : {}) })
      })
    } else {
      editor.change({ what: 'a new step' }, (it) => {
        const placed = state.name === 'ready' ? placeOn(state.place, it) : { document: it, route: null }
        const step = {
          ...newStep(key, title ?? 'New step'),
          ...target,
          location: 'bottom' as const,
          route: placed.route,
        }
        return addStep(placed.document, step)
      })
    }
    setPicked({ key, candidates })
    open(key)
    focus(key, isKnown ? 'target' : 'title')
    const ways = candidates.length === 1 ? 'one selector' : `${candidates.length} selectors`
    announce(`${best.selector} was picked, with ${ways}.`)
  }

  const onMessage = useEffectEvent((message: Parameters<Parameters<typeof link.listen>[0]>[0]) => {
    if (wanted === undefined) return
    switch (message.type) {
      case 'hovered':
        return setOver(message.description)
      case 'picked':
        end()
        return take(message)
      case 'pick-cancelled':
        end()
        focus(wanted.key, 'target')
        return announce('Picking cancelled.')
      case 'pick-failed':
        end()
        return announce(`Picking failed: ${message.message}`)
      case 'ready':
        // Another page loaded before an element was picked.
        return link.say({ type: 'pick' })
      default:
        return undefined
    }
  })
  useEffect(() => link.listen((message) => onMessage(message)), [link])

  return {
    isPicking: wanted !== undefined,
    over,
    picked,
    begin(key) {
      if (state.name !== 'ready') return announce('The page has not loaded the player yet.')
      if (key === undefined && editor.read().document.steps.length >= maxSteps) {
        return announce(`A tour has at most ${maxSteps} steps.`)
      }
      setWanted({ key })
      show('page')
      link.say({ type: 'pick' })
      announce('Pick an element on the page. Escape cancels.')
      link.focus()
    },
    cancel() {
      link.say({ type: 'cancel-pick' })
      end()
      focus(wanted?.key, 'target')
    },
  }
}
