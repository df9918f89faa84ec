import type { PlayerPayload } from './protocol.ts'
import type { Stage } from './stage/stage.ts'
import type { Tag } from './tag.ts'

export interface Picker {
  start(): void
  stop(): void
}

export type CreatePicker = (stage: Stage, send: (payload: PlayerPayload) => void) => Picker

/** A module that failed to load stays failed under its URL, so that each attempt has a URL of its own. */
let attempts = 0

/**
 * Loads the picker script, which visitors never need. It is imported and not added as an element: trusted types of a page
 * refuse the address of a new script element, and an imported script has the nonce of the player. Throws when the page
 * blocks it or the platform is unreachable.
 */
export async function loadPicker(
  { base }: Tag,
  stage: Stage,
  send: (payload: PlayerPayload) => void,
): Promise<Picker> {
  const url = `${base}/tours/picker.js`
  attempts += 1
  try {
    const loaded = (await import(/* @vite-ignore */ `${url}${attempts === 1 ? '' : `#${attempts}`}`)) as {
      readonly createPicker: CreatePicker
    }
    return loaded.createPicker(stage, send)
  } catch (error) {
    throw new Error(`This page could not load ${url}.`, { cause: error })
  }
}
