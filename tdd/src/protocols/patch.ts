import type { Write } from './protocol.ts'

const header = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+?)\s*$/gm

/** The files of a patch in the `*** Begin Patch` format; one patch can change several. */
export function writesOfPatch(patch: string): Write[] {
  return [...patch.matchAll(header)].map(([, action, path = '']) => ({
    path,
    kind: action === 'Delete File' ? 'delete' : 'write',
    text: patch,
  }))
}
