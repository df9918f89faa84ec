import { existsSync } from 'node:fs'
import quarantined from '../../test/quarantine.json' with { type: 'json' }

/** A test that fails for a reason outside the product. It runs in `npm run test:all` only, until it is mended. */
export interface QuarantinedTest {
  /** From the root of the project. */
  readonly file: string
  /** Its describe blocks and its own title, joined by ` > `. */
  readonly title: string
  /** The day it was quarantined. */
  readonly since: string
  readonly reason: string
}

const maxQuarantined = 15

/** The tests of test/quarantine.json. Throws when the list is too long or names a file that does not exist. */
export function readQuarantine(): readonly QuarantinedTest[] {
  const tests: readonly QuarantinedTest[] = quarantined
  if (tests.length > maxQuarantined)
    throw new Error(
      `test/quarantine.json has ${tests.length} tests, at most ${maxQuarantined} are allowed: mend some.`,
    )
  for (const { file } of tests) {
    if (!existsSync(new URL(`../../${file}`, import.meta.url)))
      throw new Error(`test/quarantine.json names ${file}, which does not exist.`)
  }
  return tests
}
