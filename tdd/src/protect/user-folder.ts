import { readdirSync } from 'node:fs'
import type { Project } from '../project/locate.ts'
import { parentOf } from '../project/paths.ts'

/**
 * The folder of this user in which snapshots are kept: outside of the project, where commands of an assistant have no reason
 * to write. Undefined without a home folder.
 */
export function userFolder(): string | undefined {
  const { XDG_STATE_HOME: given = '' } = process.env
  const home = homeFolder()
  if (/^(?:\/|[A-Za-z]:)/.test(given)) return `${given.replaceAll('\\', '/')}/tutti-tdd`
  return home === undefined ? undefined : `${home}/.local/state/tutti-tdd`
}

export function homeFolder(): string | undefined {
  const home = process.env['HOME'] || process.env['USERPROFILE']
  return home === undefined || home === '' ? undefined : home.replaceAll('\\', '/').replace(/\/+$/, '')
}

/** The folder of one project below it. */
export function protectionFolder({ root }: Project): string | undefined {
  const folder = userFolder()
  if (folder === undefined) return undefined
  return `${folder}/projects/${root.replace(/[^\w.-]+/g, '-').slice(-60)}-${hashOf(root)}`
}

/** Whether a command of an assistant is open. One call of the file system: every edit asks. */
export function hasOpenCommand(project: Project): boolean {
  const folder = protectionFolder(project)
  if (folder === undefined) return false
  try {
    return readdirSync(`${folder}/open`).length > 0
  } catch {
    return false
  }
}

/**
 * The projects at and above a folder in which a command is open. Found by their snapshots: a command may have removed all that
 * makes the folder a project.
 */
export function openProjectsAbove(folder: string): Project[] {
  const projects: Project[] = []
  for (let root = folder; ; root = parentOf(root)) {
    if (hasOpenCommand({ root, marked: true })) projects.push({ root, marked: true })
    if (root === parentOf(root)) return projects
  }
}

/** FNV-1a: tells names apart, without loading the crypto module into the hook for edits. */
export function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(36)
}
