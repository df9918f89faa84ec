import type { FastifyRequest } from 'fastify'
import type { Static, TSchema } from 'typebox'
import { createValueCheck, invalidInput } from '#kernel/http'
import { ChangedFlowFrame, NewFlowFrame } from './requests.ts'

const checkNew = createValueCheck(NewFlowFrame)
const checkChanged = createValueCheck(ChangedFlowFrame)

type Request = Pick<FastifyRequest, 'body' | 'validationError'>

/**
 * Reads the body of a route whose schema describes a whole flow but leaves its validation to the engine (`attachValidation`): a body
 * with a wrong frame is refused here; the engine then reports all problems of the flow at once.
 */
export function readNewFlow(request: Request): Static<typeof NewFlowFrame> {
  return readFrame<typeof NewFlowFrame>(request, checkNew)
}

export function readChangedFlow(request: Request): Static<typeof ChangedFlowFrame> {
  return readFrame<typeof ChangedFlowFrame>(request, checkChanged)
}

export function readFrame<Frame extends TSchema>(
  { body, validationError }: Request,
  check: ReturnType<typeof createValueCheck>,
): Static<Frame> {
  if (validationError !== undefined && validationError.validationContext !== 'body') throw validationError
  const problems = check(body)
  if (problems.length > 0) throw invalidInput(problems, 'body')
  return body as Static<Frame>
}
