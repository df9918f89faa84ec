import type { Witness } from './play.ts'
import type { PlayerSays } from './protocol.ts'

/** Tells the builder what happens in a preview; nothing is counted or remembered. */
export function witnessPreview(say: (says: PlayerSays) => void): Witness {
  return {
    shown: ({ id }, index, selector) => say({ type: 'preview-step-changed', stepId: id, index, selector }),
    passed: () => undefined,
    skipped: ({ id, selector }, index) => say({ type: 'preview-step-skipped', stepId: id, index, selector }),
    leaving(from, { route, path }) {
      if (path === undefined) say({ type: 'preview-elsewhere', from, route })
      else say({ type: 'preview-leaving', from, path })
    },
    ended: (outcome) => say({ type: 'preview-ended', outcome }),
  }
}
