import type { PlatformOptions } from '../../find-platform.ts'
import { oneLine, terminalWidth, writeTable } from '../../text.ts'
import { connect } from '../platform-api.ts'
import { exitCodes, printJson } from '../remote-command.ts'

export interface ListOptions extends PlatformOptions {
  readonly search?: string
  readonly json?: true
}

interface ListedFlow {
  readonly id: string
  readonly label: string
  readonly version: string
  readonly revision: number
  readonly steps: number
  readonly built_in: boolean
}

/** `tutti flows list` on a platform. */
export async function listFlowsOfPlatform({ search, json, ...options }: ListOptions) {
  const api = await connect(options)
  const { entries } = await api.list<ListedFlow>('/flows', { entries: 'flows', query: { search } })
  if (json === true) {
    printJson(entries)
    return exitCodes.done
  }
  if (entries.length === 0) {
    console.error(search === undefined ? `${api.url} has no flows.` : `No flow has "${search}" in it.`)
    return exitCodes.done
  }
  const rows = entries.map(({ id, version, revision, steps, built_in: builtIn, label }) => [
    id,
    version === String(revision) ? version : `${version} (${revision})`,
    String(steps),
    builtIn ? 'built in' : 'own',
    oneLine(label),
  ])
  const header = ['ID', 'VERSION', 'STEPS', 'KIND', 'LABEL']
  console.log(writeTable(header, rows, { width: terminalWidth(), shrink: [4] }))
  return exitCodes.done
}
