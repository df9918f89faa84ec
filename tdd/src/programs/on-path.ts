import { accessSync, constants } from 'node:fs'
import { delimiter } from 'node:path'

/** Whether the PATH contains a program of that name. */
export function isOnPath(program: string, env: NodeJS.ProcessEnv = process.env): boolean {
  return (env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(`${folder}/${program}`, constants.X_OK)
      return folder !== ''
    } catch {
      return false
    }
  })
}
