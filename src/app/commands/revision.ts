import { UserMistake } from '#kernel/errors'

/** A revision as it stands on the command line. */
export function readRevision(text: string): number {
  const revision = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (revision === 0) throw new UserMistake(`"${text}" is no revision; they are counted from 1.`)
  return revision
}
