import type { PlatformOptions } from '../../find-platform.ts'
import { count } from '../../text.ts'
import { connect } from '../platform-api.ts'
import { exitCodes, printJson } from '../remote-command.ts'
import { readFlowFiles } from './flow-files.ts'
import { describeDiff, diffWith } from './print-diff.ts'
import { readRemote } from './push.ts'

export interface DiffOptions extends PlatformOptions {
  readonly json?: true
}

/** `tutti flows diff`: compares files with the platform, step by step. Ends with 1 when they differ. */
export async function diffWithPlatform(places: readonly string[], { json, ...options }: DiffOptions) {
  const flows = await readFlowFiles(places)
  const api = await connect(options)
  const results = []
  for (const flow of flows) {
    const remote = await readRemote(api, flow.id)
    const diff = remote === undefined ? undefined : await diffWith(remote, flow)
    const status = diff === undefined ? 'missing' : diff.equal ? 'equal' : 'different'
    results.push({
      flow_id: flow.id,
      file: flow.file,
      status,
      revision: remote?.revision ?? null,
      diff: diff ?? null,
    })
  }
  if (json === true) printJson({ url: api.url, flows: results })
  else {
    for (const { flow_id: id, status, revision, diff } of results) {
      if (diff === null) console.log(`${id}: not on the platform yet`)
      else if (status === 'different') console.log(`${id}: differs from revision ${revision}`)
      for (const line of diff === null ? [] : describeDiff(diff)) console.log(`    ${line}`)
    }
    const same = results.filter(({ status }) => status === 'equal').length
    if (same === results.length) console.error(`No difference between ${count(same, 'file')} and ${api.url}.`)
  }
  return results.every(({ status }) => status === 'equal') ? exitCodes.done : exitCodes.failed
}
