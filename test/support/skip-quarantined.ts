import { relative } from 'node:path'
import { beforeEach } from 'vitest'
import { readQuarantine } from '../../scripts/test/quarantine.ts'

const root = new URL('../../', import.meta.url).pathname
const quarantined = process.env['TUTTI_TEST_SUITE'] === 'core' ? readQuarantine() : []

if (quarantined.length > 0) {
  beforeEach(({ task, skip }) => {
    const file = relative(root, task.file.filepath)
    const found = quarantined.find((test) => test.file === file && test.title === task.fullTestName)
    if (found !== undefined) skip(`quarantined since ${found.since}: ${found.reason}`)
  })
}
