import { type Project, stateFolder } from '../project/locate.ts'

/** The file with the phase of every package. */
export function stateFile({ root }: Project): string {
  return `${root}/${stateFolder}/state.json`
}

/** The path of a cache file, which can be deleted at any time. */
export function cacheFile({ root }: Project, name: string): string {
  return `${root}/${stateFolder}/cache/${name}`
}

/** The log of one month, one JSON document per line. */
export function logFile({ root }: Project, at: Date): string {
  return `${root}/${stateFolder}/log/${at.toISOString().slice(0, 7)}.jsonl`
}
