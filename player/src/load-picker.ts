import type { PlayerPayload } from './protocol.ts'
import type { Stage } from './stage/stage.ts'
import type { Tag } from './tag.ts'

export interface Picker {
  start(): void
  stop(): void
}

export type CreatePicker = (stage: Stage, send: (payload: PlayerPayload) => void) => Picker

/** The event on its own script tag by which the picker passes its factory, so that it adds no global to the page. */
export const pickerEvent = 'tutti-picker'

/** Loads the picker script, which visitors never need. Throws when the page blocks it or the platform is unreachable. */
export async function loadPicker(
  tag: Tag,
  stage: Stage,
  send: (payload: PlayerPayload) => void,
): Promise<Picker> {
  return await new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.addEventListener(pickerEvent, (event) => {
      resolve((event as CustomEvent<CreatePicker>).detail(stage, send))
    })
    script.addEventListener('load', () => script.remove())
    script.addEventListener('error', () => {
      script.remove()
      reject(new Error(`This page could not load ${tag.base}/tours/picker.js.`))
    })
    script.nonce = tag.nonce
    script.src = `${tag.base}/tours/picker.js`
    document.head.append(script)
  })
}
