import { findAll, findElement } from './find-element.ts'
import { loadPicker, type Picker } from './load-picker.ts'
import type { Places } from './places.ts'
import { createPlay, type Play } from './play.ts'
import { witnessPreview } from './preview.ts'
import {
  type BuilderMessage,
  type PlayableTip,
  type PlayerSays,
  readBuilderMessage,
  toMessage,
} from './protocol.ts'
import type { Stage } from './stage/stage.ts'
import type { Tag } from './tag.ts'

interface BuilderLinkOptions {
  readonly tag: Tag
  readonly places: Places
  readonly stage: Stage
  /** A builder is there. */
  readonly onHello: () => void
}

/** How long a framed page waits for a builder before it shows tours by itself. */
const helloMs = 1_000

/**
 * Serves the builder around this page, if there is one: resolves when it is known. Only the parent window is heard, only from
 * the origin the player came from, and only that origin is told anything.
 */
export async function linkBuilder({ tag, places, stage, onHello }: BuilderLinkOptions): Promise<void> {
  const { parent } = window
  const around: string | undefined = window.location.ancestorOrigins?.[0]
  if (parent === window || (around !== undefined && around !== tag.origin)) return
  const say = (says: PlayerSays) => parent.postMessage(toMessage(says), tag.origin)
  const greeting = new AbortController()
  let picker: Picker | undefined
  let preview: Play | undefined

  const whereabouts = () => ({ ...places.now(), title: document.title })

  async function pick(): Promise<void> {
    try {
      picker ??= await loadPicker(tag, stage, say)
      picker.start()
    } catch (error) {
      say({ type: 'pick-failed', message: error instanceof Error ? error.message : String(error) })
    }
  }

  function showStep(tip: PlayableTip, index: number, total: number): void {
    const found = tip.location === 'center' ? undefined : findElement(tip)
    const isMissing = found === undefined && tip.location !== 'center'
    const note = { text: 'No element of this page matches the selector of this step.', warning: true }
    const view = { tip, index, total, hasPrevious: index > 0, isLast: index === total - 1, modal: false }
    const find = () => (tip.location === 'center' ? null : (findElement(tip)?.element ?? null))
    stage.showStep(isMissing ? { ...view, note } : view, find, (action) =>
      say({ type: 'step-action', stepId: tip.id, action }),
    )
    say({
      type: 'step-shown',
      stepId: tip.id,
      found: !isMissing,
      selector: found?.selector ?? null,
      matches: found?.matches ?? 0,
    })
  }

  function obey(message: BuilderMessage): void {
    switch (message.type) {
      case 'hello':
        greeting.abort()
        return onHello()
      case 'pick':
        stage.clear()
        return void pick()
      case 'cancel-pick':
        return picker?.stop()
      case 'count':
        return say({ type: 'counted', counts: message.selectors.map(count) })
      case 'show-step':
        return showStep(message.tip, message.index, message.total)
      case 'hide-step':
        return stage.clear()
      case 'highlight':
        return stage.outlines.show(message.selector === null ? [] : (findAll(message.selector) ?? []))
      case 'play': {
        preview?.stop()
        const { tour } = message
        preview = createPlay({ tour, stage, places, witness: witnessPreview(say), anywhere: true })
        return preview.begin(message.from ?? 0)
      }
      case 'stop':
        return preview?.stop()
      default:
        return undefined
    }
  }

  window.addEventListener('message', ({ data, origin, source }) => {
    const message = source === parent && origin === tag.origin ? readBuilderMessage(data) : undefined
    if (message !== undefined) obey(message)
  })
  places.onChange(() => {
    say({ type: 'route-changed', ...whereabouts() })
    preview?.placeChanged()
  })
  say({ type: 'ready', ...whereabouts() })
  await new Promise<void>((resolve) => {
    greeting.signal.addEventListener('abort', () => resolve())
    setTimeout(resolve, helloMs)
  })
}

function count(selector: string) {
  const matches = findAll(selector)
  return { selector, matches: matches?.length ?? 0, valid: matches !== undefined }
}
