import type { Appearance } from './appearance.ts'
import { findAll, findElement } from './find-element.ts'
import { loadPicker, type Picker } from './load-picker.ts'
import type { PageTracker } from './page-tracker.ts'
import { createPlay, type Play, type PlayListener } from './play.ts'
import {
  type BuilderMessage,
  type PlayableTip,
  type PlayerPayload,
  readBuilderMessage,
  toMessage,
} from './protocol.ts'
import type { Stage } from './stage/stage.ts'
import type { Tag } from './tag.ts'

interface BuilderLinkOptions {
  readonly tag: Tag
  readonly page: PageTracker
  readonly stage: Stage
  readonly say: Appearance['say']
  /** Called when a builder has connected. */
  readonly onHello: () => void
}

/** How long a framed page waits for a builder before it shows tours by itself. */
const helloMs = 1_000

/**
 * Connects to the builder that frames this page; resolves when it is known whether there is one. Messages are accepted only
 * from the parent window with the origin of the player's script, and sent only to that origin.
 */
export async function connectBuilder(options: BuilderLinkOptions): Promise<void> {
  const { tag, page, stage, say, onHello } = options
  const { parent } = window
  const parentOrigin: string | undefined = window.location.ancestorOrigins?.[0]
  if (parent === window || (parentOrigin !== undefined && parentOrigin !== tag.origin)) return
  const send = (payload: PlayerPayload) => parent.postMessage(toMessage(payload), tag.origin)
  const greeting = new AbortController()
  let picker: Picker | undefined
  let preview: Play | undefined

  const currentPage = () => ({ ...page.now(), title: document.title })

  async function pick(): Promise<void> {
    try {
      picker ??= await loadPicker(tag, stage, send)
      picker.start()
    } catch (error) {
      send({ type: 'pick-failed', message: error instanceof Error ? error.message : String(error) })
    }
  }

  function showStep(tip: PlayableTip, index: number, total: number): void {
    const found = tip.location === 'center' ? undefined : findElement(tip)
    const isMissing = found === undefined && tip.location !== 'center'
    const note = { text: 'No element on this page matches the selector of this step.', warning: true }
    const view = {
      tip,
      index,
      total,
      hasPrevious: index > 0,
      isLast: index === total - 1,
      reach: 'all' as const,
    }
    const find = () => (tip.location === 'center' ? null : (findElement(tip)?.element ?? null))
    stage.showStep(isMissing ? { ...view, note } : view, find, (action) =>
      send({ type: 'step-action', stepId: tip.id, action }),
    )
    send({
      type: 'step-shown',
      stepId: tip.id,
      found: !isMissing,
      selector: found?.selector ?? null,
      matches: found?.matches ?? 0,
    })
  }

  function handle(message: BuilderMessage): void {
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
        return send({ type: 'counted', counts: message.selectors.map(count) })
      case 'show-step':
        return showStep(message.tip, message.index, message.total)
      case 'hide-step':
        return stage.clear()
      case 'highlight':
        return stage.outlines.show(message.selector === null ? [] : (findAll(message.selector) ?? []))
      case 'play': {
        preview?.end('stopped')
        const { tour } = message
        preview = createPlay({
          tour,
          stage,
          page,
          say,
          listener: createPreviewListener(send),
          anywhere: true,
        })
        return preview.begin(message.from ?? 0)
      }
      case 'stop':
        return preview?.end('stopped')
      default:
        return undefined
    }
  }

  window.addEventListener('message', ({ data, origin, source }) => {
    const message = source === parent && origin === tag.origin ? readBuilderMessage(data) : undefined
    if (message !== undefined) handle(message)
  })
  page.onChange(() => {
    send({ type: 'route-changed', ...currentPage() })
    preview?.pageChanged()
  })
  send({ type: 'ready', ...currentPage() })
  await new Promise<void>((resolve) => {
    greeting.signal.addEventListener('abort', () => resolve())
    setTimeout(resolve, helloMs)
  })
}

function count(selector: string) {
  const matches = findAll(selector)
  return { selector, matches: matches?.length ?? 0, valid: matches !== undefined }
}

/** Reports the progress of a preview to the builder; nothing is counted or stored. */
function createPreviewListener(send: (payload: PlayerPayload) => void): PlayListener {
  return {
    shown: ({ id }, index, selector) => send({ type: 'preview-step-changed', stepId: id, index, selector }),
    passed: () => undefined,
    missing: ({ id, selector }, index) => send({ type: 'preview-step-skipped', stepId: id, index, selector }),
    leaving(from, { route, path }) {
      if (path === undefined) send({ type: 'preview-elsewhere', from, route })
      else send({ type: 'preview-leaving', from, path })
    },
    ended: (outcome) => send({ type: 'preview-ended', outcome }),
  }
}
