import type { PlayerSays } from './protocol.ts'
import type { Stage } from './stage/stage.ts'
import type { Tag } from './tag.ts'

export interface Picker {
  start(): void
  stop(): void
}

export type CreatePicker = (stage: Stage, say: (says: PlayerSays) => void) => Picker

/** How the picker's file hands itself over: by an event on its own tag, so that the page gets no global of ours. */
export const handOver = 'tutti-picker'

/** Fetches the picker, which visitors never need. */
export async function loadPicker(tag: Tag, stage: Stage, say: (says: PlayerSays) => void): Promise<Picker> {
  return await new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.addEventListener(handOver, (event) => {
      resolve((event as CustomEvent<CreatePicker>).detail(stage, say))
    })
    script.addEventListener('load', () => script.remove())
    script.addEventListener('error', () => {
      script.remove()
      reject(new Error(`${tag.base}/tours/picker.js could not be loaded by this page.`))
    })
    script.nonce = tag.nonce
    script.src = `${tag.base}/tours/picker.js`
    document.head.append(script)
  })
}
