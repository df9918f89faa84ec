import type { FastifyRequest } from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'
import { FlowDefinition, FlowMetadata } from '#engine'
import { createValueCheck, invalidInput } from '#kernel/http'

const note = Type.String({
  maxLength: 1000,
  description: 'A note about the change, shown in the list of versions.',
})

const expectedVersion = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description:
    'The revision the change was made on. If it is no longer the current one, nothing is saved (409). The same as `If-Match`.',
})

/** The body of `POST /flows` and `POST /flows/validate`. */
export const NewFlowBody = Type.Object(
  {
    flow_definition: FlowDefinition,
    metadata: Type.Optional(FlowMetadata),
    note: Type.Optional(note),
  },
  { additionalProperties: false, description: 'A flow with its metadata.' },
)

/** The body of `PUT /flows/{id}`. */
export const ChangedFlowBody = Type.Object(
  {
    ...NewFlowBody.properties,
    expected_version: Type.Optional(expectedVersion),
  },
  {
    additionalProperties: false,
    description: 'The new definition. Omitted metadata stay unchanged.',
  },
)

export const RollBackBody = Type.Object(
  {
    version: Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'The revision to restore.',
    }),
    note: Type.Optional(note),
    expected_version: Type.Optional(expectedVersion),
  },
  { additionalProperties: false },
)

/** The same bodies with an unvalidated flow: the engine reports all problems of a flow at once, in a response of its own. */
const frame = {
  flow_definition: Type.Object({}, { additionalProperties: true }),
  metadata: Type.Optional(Type.Object({}, { additionalProperties: true })),
  note: Type.Optional(note),
}

export const NewFlowFrame = Type.Object(frame, { additionalProperties: false })
export const ChangedFlowFrame = Type.Object(
  { ...frame, expected_version: Type.Optional(expectedVersion) },
  { additionalProperties: false },
)

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
