import type { ExecutionRecord } from '#engine'
import { describeFailure as describeAnyFailure } from '#runs'
import { knownCode } from '../errors.ts'

/** Why an execution did not succeed, in the codes of this interface. */
export function describeFailure(record: ExecutionRecord) {
  const failure = describeAnyFailure(record)
  return { ...failure, code: knownCode(failure.code) }
}
